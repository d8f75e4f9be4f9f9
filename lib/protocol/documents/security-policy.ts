/** A tenant's settings for lifetimes and registration; the product's defaults apply to absent fields. */
export interface SecurityPolicy {
  sessionIdleSeconds?: number;
  sessionAbsoluteSeconds?: number;
  longestApiKeyDays?: number;
  /** The maximum age of the last authentication for sensitive operations; 0 requires none. Absent: the product's default. */
  stepUpSeconds?: number;
  /** The users who need a second factor; absent: none. */
  secondFactor?: "administrators" | "everybody";
  /** From the start of this day, in UTC: "2026-12-01"; absent: always. */
  secondFactorFrom?: string;
  /** Only emergency administrators may sign in with a password; absent: all users may. */
  passwordSignIn?: "emergency-only";
  /** Passkeys alone are rejected at sign-in; absent: they are accepted. */
  passkeySignIn?: "off";
  /** At most a day: a signing key is published this long after its last signature. */
  anonymousTokenSeconds?: number;
  /** At most an hour: nodes cache this long which tokens were revoked before their expiry. */
  accessTokenSeconds?: number;
  refreshIdleSeconds?: number;
  refreshAbsoluteSeconds?: number;
  /** At most a minute. */
  refreshGraceSeconds?: number;
  /** Whether customers may register themselves. */
  allowsRegistration?: boolean;
  /** Whether API keys may create password tokens of customers; sessions always may. */
  allowsPasswordTokensByApiKey?: boolean;
}
