import { accessCodes } from "./error-codes/access";
import { apiKeyCodes } from "./error-codes/api-key";
import { connectionCodes } from "./error-codes/connections";
import { featureCodes } from "./error-codes/feature";
import { requestCodes } from "./error-codes/request";

/** The closed list of codes. Every code has a page at /docs/errors/{code}. */
export const errorCodes = {
  ...requestCodes,
  ...accessCodes,
  ...featureCodes,
  ...connectionCodes,
  ...apiKeyCodes,
};

export type ErrorCode = keyof typeof errorCodes;

/** Codes whose `reason` must name what is missing: those of 403. */
export type ForbiddenCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]["status"] extends 403 ? Code : never;
}[ErrorCode];
