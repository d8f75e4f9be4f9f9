import type { ErrorCode } from "./error-codes";

/** Error codes that several operations return for the same reason; those about owners omit user.not-found, because a key's owner exists. */
export const ownerGuardCodes = [
  "user.system",
  "user.admin-only",
  "auth.permission-missing",
] as const satisfies ErrorCode[];

export const userGuardCodes = ["user.not-found", ...ownerGuardCodes] as const satisfies ErrorCode[];

export const passwordLinkCodes = [
  "auth.link-invalid",
  "auth.link-expired",
  "link.void",
  "password.unsuitable",
  "auth.password-not-accepted",
  "auth.busy",
] as const satisfies ErrorCode[];

export const keyStateCodes = [
  "api-key.not-found",
  "api-key.revoked",
  "api-key.expired",
] as const satisfies ErrorCode[];

export const customerGuardCodes = [
  "customer.not-found",
  "customer.other-sites",
] as const satisfies ErrorCode[];

export const metricsQuestionCodes = [
  "metrics.range-exceeds-retention",
  "metrics.too-many-values",
  "auth.permission-missing",
] as const satisfies ErrorCode[];
