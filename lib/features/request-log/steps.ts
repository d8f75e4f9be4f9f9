import { type ErrorCode, errorCodes } from "@/lib/protocol/error-codes";
import { type RefusedRequestDetails, type StepName, stepNames } from "./contract";

const byCode: Partial<Record<ErrorCode, StepName>> = {
  "request.malformed": "frame",
  "request.duplicate-header": "frame",
  "request.header-missing": "frame",
  "request.header-invalid": "frame",
  "request.not-found": "path",
  "site.unknown": "site",
  "request.accept-not-supported": "format",
  "auth.permission-missing": "role",
  "user.no-role": "role",
  "role.not-grantable": "role",
  "user.admin-only": "role",
  "user.oneself": "state",
  "user.system": "state",
  "user.other-home": "state",
  "rate-limit.exceeded": "credential",
  "rate-limit.api-key-exceeded": "credential",
  "auth.too-many-attempts": "credential",
};

const byStatus: Record<number, StepName> = {
  400: "input",
  401: "credential",
  403: "credential",
  404: "resource",
  405: "method",
  406: "format",
  409: "state",
  412: "precondition",
  413: "frame",
  414: "frame",
  415: "format",
  422: "state",
  428: "precondition",
  431: "frame",
};

/** The step at which a request was rejected. */
export function failedStep(code: string): StepName {
  if (!Object.hasOwn(errorCodes, code)) return "server";
  const known = code as ErrorCode;
  return byCode[known] ?? byStatus[errorCodes[known].status] ?? "server";
}

/** The way of a request in the contract's order, to where it was rejected; all of it where it was not. */
export function stepsTo(failed: StepName | undefined): RefusedRequestDetails["steps"] {
  const at = failed === undefined ? stepNames.length : stepNames.indexOf(failed);
  return stepNames.map((step, index) => ({
    step,
    outcome: index < at ? "passed" : index === at ? "failed" : "not-reached",
  }));
}
