import type { ErrorStatuses } from "./generated-types.js";

/** One invalid field of a request: a JSON Pointer, `?parameter` or the name of a header. */
export interface FieldProblem {
  pointer: string;
  detail: string;
}

/** Codes of failures without a response. */
interface ConnectionStatuses {
  /** No response: name resolution, connection or TLS failed. */
  "network.unreachable": 0;
  /** No complete response within `timeoutMs`. */
  "network.timed-out": 0;
  /** The response is not from this API: a proxy or another server has sent it. */
  "network.unexpected-response": number;
}

type Statuses = ErrorStatuses & ConnectionStatuses;

/** The closed list of codes. */
export type ErrorCode = keyof Statuses;

interface Details {
  reason?: string | undefined;
  problems?: readonly FieldProblem[] | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** A call that failed. Decide by `code`; the message is a sentence for people. */
export class CallError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "CallError";
  readonly code: Code;
  /** 0 without a response. */
  readonly status: Statuses[Code];
  /** For programs: the missing, invalid or allowed value. */
  readonly reason: string | undefined;
  /** The problems of single fields. */
  readonly problems: readonly FieldProblem[];
  /** Tell it to support. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, status: Statuses[Code], message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = status;
    this.reason = details.reason;
    this.problems = details.problems ?? [];
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** One class for each code: `switch (error.code)` narrows it. */
export type GatehouseError = { [Code in ErrorCode]: CallError<Code> }[ErrorCode];

/** Whether a thrown value is a failed call. An aborted call throws the signal's own reason instead. */
export const isGatehouseError = (error: unknown): error is GatehouseError =>
  error instanceof CallError;

/** Retry-After holds seconds or a date. */
export function retryAfterSeconds(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

interface ErrorBody {
  code?: unknown;
  detail?: unknown;
  reason?: unknown;
  errors?: readonly FieldProblem[];
}

/** The error of a response that is not a success. */
export function errorOf({ status, headers }: Response, text: string): CallError {
  const requestId = headers.get("x-service-request-id") ?? undefined;
  let body: ErrorBody = {};
  try {
    body = JSON.parse(text) ?? {};
  } catch {
    // A proxy responds with HTML or an empty body.
  }
  const details = {
    reason: typeof body.reason === "string" ? body.reason : undefined,
    problems: body.errors,
    requestId,
    retryAfterSeconds: retryAfterSeconds(headers),
  };
  if (typeof body.code === "string")
    return new CallError(body.code as ErrorCode, status, String(body.detail ?? body.code), details);
  const message = `The response has status ${status} and is not of this API.`;
  return new CallError("network.unexpected-response", status, message, details);
}
