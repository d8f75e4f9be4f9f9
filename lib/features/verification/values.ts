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
