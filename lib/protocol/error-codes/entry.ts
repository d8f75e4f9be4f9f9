/** One word per status: the `name` of an error body. */
export const errorNames = {
  400: "ValidationError",
  401: "AuthenticationError",
  403: "AuthorizationError",
  404: "NotFoundError",
  405: "MethodNotAllowedError",
  406: "NotAcceptableError",
  409: "ConflictError",
  412: "PreconditionFailedError",
  413: "PayloadTooLargeError",
  414: "ValidationError",
  415: "UnsupportedMediaTypeError",
  417: "ExpectationFailedError",
  422: "IdempotencyError",
  428: "PreconditionRequiredError",
  429: "RateLimitError",
  431: "ValidationError",
  500: "InternalError",
  503: "UnavailableError",
} as const;

export type ErrorStatus = keyof typeof errorNames;

export interface CodeEntry<Status extends ErrorStatus = ErrorStatus> {
  status: Status;
  /** What happened, as the title of the page at /docs/errors/{code}. */
  title: string;
  /** The remedy for the reader. */
  remedy: string;
}

export const code = <Status extends ErrorStatus>(
  status: Status,
  title: string,
  remedy: string,
): CodeEntry<Status> => ({ status, title, remedy });
