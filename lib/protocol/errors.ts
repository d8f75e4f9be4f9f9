import { type ErrorCode, errorCodes, type ForbiddenCode } from "./error-codes";
import type { ErrorStatus } from "./error-codes/entry";
import { cut } from "./text";

/** One problem of a field: `pointer` is a JSON Pointer, `?parameter` or a header's name. */
export interface Problem {
  pointer: string;
  detail: string;
}

interface Extras {
  headers?: Record<string, string>;
  problems?: Problem[];
}

/** The error type that callers see. `detail` is a sentence for users with the next step; `reason` is for programs. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly headers: Record<string, string>;
  readonly problems: Problem[];
  /** Set if a failure profile uses another status than the code's own. */
  readonly status: ErrorStatus;

  constructor(code: ErrorCode, detail: string, reason: string, extras?: Extras);
  constructor(
    code: Exclude<ErrorCode, ForbiddenCode>,
    detail: string,
    reason?: string,
    extras?: Extras,
  );
  constructor(
    code: ErrorCode,
    detail: string,
    reason: string | undefined,
    extras: Extras & { status: ErrorStatus },
  );
  constructor(
    code: ErrorCode,
    detail: string,
    reason?: string,
    extras: Extras & { status?: ErrorStatus } = {},
  ) {
    super(detail);
    this.code = code;
    this.reason = reason;
    this.headers = extras.headers ?? {};
    this.problems = extras.problems ?? [];
    this.status = extras.status ?? errorCodes[code].status;
  }
}

/**
 * Whether the request was rejected: it was invalid, not allowed, or about something that does not exist. A failure of the product, such as
 * an unreachable store, is not a rejection and says nothing about permissions or existence: callers that handle rejections rethrow it.
 */
export const isRejection = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500;

/** No response grows with its request: further problems are only counted, and longer texts are truncated. */
const maxReported = 50;
const maxPointerLength = 200;
const maxDetailLength = 500;

/** A 400 for one or more fields: `reason` lists the pointers, `detail` names the first problem. `total` includes those omitted. */
export function invalid(
  problems: Problem[],
  code: ErrorCode = "request.validation-failed",
  total = problems.length,
): ApiError {
  const listed = problems.slice(0, maxReported).map(({ pointer, detail }) => ({
    pointer: cut(pointer, maxPointerLength),
    detail: cut(detail, maxDetailLength),
  }));
  const more = total > 1 ? ` (and ${total - 1} more)` : "";
  const detail = listed[0] ? `${listed[0].detail}${more}` : "The request is not valid.";
  return new ApiError(code, detail, listed.map((problem) => problem.pointer).join(","), {
    problems: listed,
  });
}
