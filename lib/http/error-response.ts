import { FastResponse } from "srvx/node";
import { isOutcomeUnknown, type StoreFailure, storeFailure } from "@/lib/database/failures";
import { type Credential, type Endpoint, management } from "@/lib/protocol/endpoint";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { type ErrorStatus, errorNames } from "@/lib/protocol/error-codes/entry";
import { ApiError } from "@/lib/protocol/errors";
import { challengeFor, wantsProblem } from "@/lib/protocol/http-fields";
import { log } from "@/lib/protocol/log";
import { type RequestContext, requestContextOf } from "./request-context";

interface FailedRequest {
  method: string;
  headers: Pick<Headers, "get">;
}

/** The parts of a request that decide the format of an error. */
type Declaration = Pick<Endpoint, "profile" | "credentials">;

const byDefault: Declaration = { profile: "default", credentials: management };

const unknownOutcome =
  "The store went away while this was being kept, so it may have been done. Read it, or repeat it with the same Idempotency-Key.";

/** The responses to callers when the store fails. */
const ofStore = {
  away: {
    code: "server.store-unavailable",
    detail: "The store cannot be reached. Try again in a few seconds.",
    retryAfter: "2",
    logged: "the store cannot be reached",
  },
  full: {
    code: "server.store-full",
    detail: "The store has no room left, so nothing was changed.",
    retryAfter: "30",
    logged: "the store has no room",
  },
  "read-only": {
    code: "server.store-read-only",
    detail: "The store takes no writes now. Try again in a few seconds.",
    retryAfter: "2",
    logged: "the store is read-only",
  },
  busy: {
    code: "server.store-busy",
    detail: "Something else in the store kept this from being done. Try again.",
    retryAfter: "1",
    logged: "a lock was not released in time",
  },
  slow: {
    code: "request.timed-out",
    detail: "The request took too long and was given up. Ask for less at once.",
    retryAfter: "1",
    logged: "a statement took too long",
  },
} as const satisfies Record<
  StoreFailure,
  { code: ErrorCode; detail: string; retryAfter: string; logged: string }
>;

/** Converts a failure to the caller's error: one of the store is a 503 with Retry-After. Logs errors other than ApiError. */
export function asApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  const failure = storeFailure(error);
  if (failure !== undefined) {
    const { code, detail, retryAfter, logged } = ofStore[failure];
    log().warn({ requestId, err: error }, logged);
    const text = isOutcomeUnknown(error) ? unknownOutcome : detail;
    return new ApiError(code, text, undefined, { headers: { "Retry-After": retryAfter } });
  }
  log().error({ requestId, err: error }, "a request failed");
  return new ApiError(
    "server.internal-error",
    `Something failed on our side. Tell us the request id ${requestId}.`,
  );
}

/** Metrics answers 401 for every failure of credential or permission, and 400 for an Accept it cannot meet (contract C1, C2). */
function metricsProfile(error: ApiError, credentials: readonly Credential[]): ApiError {
  const extras = { headers: error.headers, problems: error.problems };
  if (error.status === 403) {
    const challenge = { "WWW-Authenticate": challengeFor(credentials) };
    return new ApiError(error.code, error.message, error.reason, {
      ...extras,
      headers: { ...challenge, ...error.headers },
      status: 401,
    });
  }
  return error.status === 406
    ? new ApiError("request.accept-not-supported", error.message, error.reason, extras)
    : error;
}

function bodyOf(error: ApiError, asProblem: boolean): string {
  const { code, message: detail, reason } = error;
  const status: ErrorStatus = error.status;
  if (!asProblem)
    return JSON.stringify({
      name: errorNames[status],
      code,
      detail,
      ...(reason === undefined ? {} : { reason }),
    });
  const errors = error.problems.map((problem) => ({
    pointer: problem.pointer,
    detail: problem.detail,
  }));
  return JSON.stringify({
    type: `/docs/errors/${code}`,
    title: errorNames[status],
    status,
    detail,
    code,
    ...(reason === undefined ? {} : { reason }),
    ...(errors.length > 0 ? { errors } : {}),
  });
}

/** The only function that writes an error body: ErrorResponse, or RFC 9457 for callers that ask for it. */
export function errorResponse(
  error: unknown,
  request: FailedRequest,
  context: RequestContext = requestContextOf(request),
  { profile, credentials }: Declaration = byDefault,
): Response {
  const plain = asApiError(error, context.origin.requestId);
  const reported = profile === "metrics" ? metricsProfile(plain, credentials) : plain;
  context.error = { code: reported.code, reason: reported.reason };
  const asProblem = wantsProblem(request.headers.get("accept"));
  const body = bodyOf(reported, asProblem);
  const headers = {
    "Content-Type": asProblem ? "application/problem+json" : "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...context.responseHeaders,
    ...reported.headers,
  };
  return new FastResponse(request.method === "HEAD" ? null : body, {
    status: reported.status,
    headers,
  });
}
