/** What the answer about a credential says: the list is closed. */
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

/** The most credentials that one request may verify. */
export const maxCredentials = 100;

/** The most seconds for which an answer may be reused. */
export const maxCacheSeconds = 60;

/** The most uses of a key with a rate limit that one verification may take. */
export const maxUsesInAdvance = 10_000;

/** The most credentials of one report of uses. */
export const maxUses = 1000;

/** Uses are reported within a day. */
export const maxUseAgeMs = 86_400_000;

/** How far a verifier's clock may be ahead. */
export const maxClockSkewMs = 300_000;

/** The last operation of a credential that was verified, where no service has said what it was used for. */
export const verifyOperation = "POST /v1/access/verify";
