/** The result codes for a credential: a closed list. */
export const codes = [
  "VALID",
  "UNKNOWN",
  "EXPIRED",
  "REVOKED",
  "SUSPENDED",
  "LOCKED",
  "INSUFFICIENT_PERMISSION",
  "WRONG_SITE",
  "WRONG_ADDRESS",
  "RATE_LIMITED",
] as const;

export type Code = (typeof codes)[number];

/** The maximum number of credentials in one verification request. */
export const maxCredentials = 100;

/** The maximum seconds for which an answer may be cached. */
export const maxCacheSeconds = 60;

/** The maximum uses of a rate-limited key that one verification may reserve. */
export const maxUsesInAdvance = 10_000;

/** The maximum number of credentials in one usage report. */
export const maxUses = 1000;

/** Uses must be reported within a day. */
export const maxUseAgeMs = 86_400_000;

/** How far a verifier's clock may be ahead. */
export const maxClockSkewMs = 300_000;

/** The last operation of a verified credential, if no service has reported its use. */
export const verifyOperation = "POST /v1/access/verify";
