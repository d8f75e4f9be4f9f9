import { type CodeEntry, code } from "./entry";

/** Codes of a request's format, of retries and conditions, of limits and of the server itself. */
export const requestCodes = {
  "request.malformed": code(
    400,
    "The request could not be read.",
    "Send a request target that begins with / and is correctly percent-encoded.",
  ),
  "request.duplicate-header": code(
    400,
    "A header was sent twice with different values.",
    "Send the header named in reason once.",
  ),
  "request.header-missing": code(
    400,
    "A required header is missing.",
    "Send the header named in reason.",
  ),
  "request.header-invalid": code(
    400,
    "A header has a value that cannot be used.",
    "Correct the header named in reason. Tenant and site ids are lower-case slugs.",
  ),
  "request.expectation-failed": code(
    417,
    "The header Expect asks for something this service does not do.",
    "Send Expect: 100-continue, or leave the header out.",
  ),
  "request.target-too-long": code(
    414,
    "The address of the request is too long.",
    "Send fewer or shorter query parameters.",
  ),
  "request.headers-too-large": code(
    431,
    "The request's headers are too large.",
    "Send fewer or smaller headers.",
  ),
  "request.body-too-large": code(
    413,
    "The request's body is larger than this operation accepts.",
    "Send a smaller body. reason holds the limit in bytes.",
  ),
  "request.too-many-items": code(
    413,
    "A list in the request's body is longer than this operation accepts.",
    "Send the items in several requests. reason holds the list and the limit.",
  ),
  "request.invalid-json": code(
    400,
    "The body is not JSON this service can accept.",
    "Send one valid JSON value in UTF-8, without duplicate members, at most 32 levels deep. reason holds line:column of the first mistake, or the JSON Pointer of what cannot be accepted.",
  ),
  "request.invalid-form": code(
    400,
    "The body is not a form this service can accept.",
    "Send name=value pairs joined by &, percent-encoded UTF-8, each name once.",
  ),
  "request.validation-failed": code(
    400,
    "One or more values are not valid.",
    "Correct the values that reason points to.",
  ),
  "request.accept-not-supported": code(
    400,
    "The answer cannot be given in a format the Accept header allows.",
    "Accept application/json.",
  ),
  "request.not-found": code(
    404,
    "There is nothing at this address.",
    "Check the path against the reference.",
  ),
  "request.method-not-allowed": code(
    405,
    "The resource does not support this method.",
    "Use one of the methods in the Allow header.",
  ),
  "request.not-acceptable": code(
    406,
    "The answer cannot be given in a format the Accept header allows.",
    "Accept application/json.",
  ),
  "request.unsupported-media-type": code(
    415,
    "The body's media type is not supported.",
    "Send Content-Type: application/json without Content-Encoding.",
  ),
  "request.cross-origin": code(
    403,
    "A browser sent this request from another site.",
    "Send it from the portal itself, at the origin in reason, or use an API key from a server.",
  ),
  "request.timed-out": code(
    503,
    "The request took too long and was given up.",
    "Try again, or ask for less at once.",
  ),
  "request.body-timed-out": code(
    400,
    "The body did not arrive in time.",
    "Send the whole body within 30 seconds.",
  ),
  "precondition.invalid": code(
    400,
    "A precondition header has a value that cannot be used.",
    "Send entity tags in double quotes, as ETag gives them.",
  ),
  "precondition.failed": code(
    412,
    "The resource changed since you read it.",
    "Read it again, merge, and send the new ETag.",
  ),
  "precondition.required": code(
    428,
    "This change needs a precondition.",
    "Send If-Match with the ETag you read.",
  ),
  "idempotency.key-invalid": code(
    400,
    "The Idempotency-Key cannot be used.",
    "Send 1 to 255 visible ASCII characters.",
  ),
  "idempotency.key-reused": code(
    422,
    "The Idempotency-Key was used with another body, query or site.",
    "Use a new key for a new request.",
  ),
  "idempotency.in-flight": code(
    409,
    "A request with this Idempotency-Key is still running.",
    "Wait for it, then repeat with the same key.",
  ),
  "idempotency.secret-not-replayable": code(
    409,
    "The first answer held a secret and cannot be repeated.",
    "reason holds the id that was created. Revoke it and create another.",
  ),
  "quota.exceeded": code(
    429,
    "The tenant has as much of this as it may have.",
    "Delete what is not needed, or ask support for a higher limit. reason names the quota.",
  ),
  "quota.not-found": code(404, "There is no such quota.", "Use one of the names in reason."),
  "rate-limit.api-key-exceeded": code(
    429,
    "The API key has used up its own rate limit.",
    "Wait as long as Retry-After says, or raise the limit of the key.",
  ),
  "rate-limit.exceeded": code(429, "Too many requests.", "Wait as long as Retry-After says."),
  "server.internal-error": code(
    500,
    "Something failed on our side.",
    "Try again. If it goes on, send us the request id.",
  ),
  "server.store-unavailable": code(
    503,
    "The store cannot be reached.",
    "Try again in a few seconds. Nothing was changed unless the answer said so.",
  ),
  "server.store-full": code(503, "The store has no room left.", "Its operator must make room."),
  "server.store-read-only": code(503, "The store takes no writes now.", "Try again in a while."),
  "server.store-busy": code(503, "A lock in the store was not released in time.", "Try again."),
  "server.overloaded": code(503, "The server has too much to do.", "Try again in a few seconds."),
  "server.stopping": code(
    503,
    "The server is stopping.",
    "Try again: another instance will answer.",
  ),
} as const satisfies Record<string, CodeEntry>;
