/** What a tenant may set of lifetimes and of who may register; absent members take the product's. */
export interface SecurityPolicy {
  sessionIdleSeconds?: number;
  sessionAbsoluteSeconds?: number;
  longestApiKeyDays?: number;
  /** How old the last proof of identity may be for sensitive operations; 0 requires none. Absent: as the product has it. */
  stepUpSeconds?: number;
  /** Who has to have a second factor; absent: nobody. */
  secondFactor?: "administrators" | "everybody";
  /** From the beginning of this day on, in UTC: "2026-12-01"; absent: always. */
  secondFactorFrom?: string;
  /** Only emergency administrators sign in with a password; absent: everybody may. */
  passwordSignIn?: "emergency-only";
  /** Nobody signs in with only a passkey; absent: everybody may. */
  passkeySignIn?: "off";
  /** At most a day: a signing key is served this long after its last signature. */
  anonymousTokenSeconds?: number;
  /** At most an hour: nodes remember this long which tokens ended before their time. */
  accessTokenSeconds?: number;
  refreshIdleSeconds?: number;
  refreshAbsoluteSeconds?: number;
  /** At most a minute. */
  refreshGraceSeconds?: number;
  /** Whether shoppers may register themselves. */
  allowsRegistration?: boolean;
  /** Whether API keys may create password tokens of customers; sessions always may. */
  allowsPasswordTokensByApiKey?: boolean;
}
