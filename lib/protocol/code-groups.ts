import type { ErrorCode } from "./error-codes";

/** Error codes that several operations answer for the same reason; of an owner: of a user who is there by the key. */
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
