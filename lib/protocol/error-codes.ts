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

interface CodeEntry<Status extends ErrorStatus = ErrorStatus> {
  status: Status;
  /** What happened, for the page at /docs/errors/{code}. */
  title: string;
  /** What the reader can do about it. */
  remedy: string;
}

const code = <Status extends ErrorStatus>(
  status: Status,
  title: string,
  remedy: string,
): CodeEntry<Status> => ({ status, title, remedy });

/** The closed list of codes. Every code has a page at /docs/errors/{code}. */
export const errorCodes = {
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
  "auth.credentials-missing": code(
    401,
    "No credential was sent.",
    "Send an API key, a session id or a bearer token that this operation accepts.",
  ),
  "auth.credentials-invalid": code(
    401,
    "The credential is not valid here.",
    "Check the credential and the tenant it was made in.",
  ),
  "auth.login-failed": code(
    401,
    "The login or the password is not right.",
    "Check tenant, login and password.",
  ),
  "auth.scheme-not-accepted": code(
    401,
    "This operation does not accept this kind of credential.",
    "Use the kind of credential named in the reference.",
  ),
  "auth.ambiguous-credentials": code(
    400,
    "More than one kind of credential was sent.",
    "Send exactly one.",
  ),
  "auth.credentials-expired": code(
    403,
    "The credential has expired.",
    "Sign in again or create a new API key. reason holds the instant of expiry.",
  ),
  "auth.password-expired": code(
    403,
    "The one-time password has expired.",
    "Ask an administrator for a new one. reason holds the instant of expiry.",
  ),
  "auth.password-change-required": code(
    403,
    "The one-time password must be changed first.",
    "Set a new password with the operation in reason.",
  ),
  "auth.api-key-suspended": code(
    403,
    "The API key is suspended.",
    "Ask its owner or an administrator to resume the key in reason.",
  ),
  "auth.token-wrong-kind": code(
    401,
    "The token is of another kind than this operation needs.",
    "Send the kind of token named in reason.",
  ),
  "auth.token-wrong-site": code(
    401,
    "The token was made for another site.",
    "Send the X-Service-Site that the token was made for.",
  ),
  "auth.refresh-token-reused": code(
    401,
    "The refresh token was used before, so its whole sign-in was ended.",
    "Sign in again. If you used each refresh token once, somebody else has one of yours.",
  ),
  "auth.permission-missing": code(
    403,
    "Your roles do not allow this.",
    "Ask an administrator for a role with the permission in reason.",
  ),
  "auth.api-key-restricted": code(
    403,
    "The API key was not given the permission that this needs.",
    "Use a key that was made with the permission in `reason`, or one without limits. The owner's roles need no change.",
  ),
  "auth.too-many-attempts": code(
    429,
    "Too many failed sign-ins.",
    "Wait as long as Retry-After says.",
  ),
  "auth.busy": code(503, "Too many sign-ins are being checked.", "Try again in a few seconds."),
  "user.locked": code(
    403,
    "The user is locked.",
    "Ask somebody who has the permission user.manage to unlock the user, whose id is in reason.",
  ),
  "user.deactivated": code(
    403,
    "The user is deactivated.",
    "Ask somebody who has the permission in reason to reactivate the user.",
  ),
  "user.no-role": code(
    403,
    "The user has no role here.",
    "Ask an administrator of the tenant for a role; reason names the least.",
  ),
  "user.other-home": code(
    403,
    "The user belongs to another tenant.",
    "Do this in the user's home tenant, named in reason.",
  ),
  "user.not-found": code(404, "There is no such user in this tenant.", "Check the id."),
  "user.login-taken": code(409, "The login is in use in this tenant.", "Choose another login."),
  "user.last-admin": code(
    409,
    "The tenant would be left without an administrator.",
    "Make another user tenant.admin first.",
  ),
  "user.oneself": code(
    403,
    "This cannot be done to one's own user, such as raising one's own roles.",
    "Ask somebody else who has the permission in reason.",
  ),
  "user.system": code(
    403,
    "Only a system user may change a system user, and nobody locks, demotes or deactivates one.",
    "Ask the operator of the platform: reason says that this is one of its own users.",
  ),
  "user.admin-only": code(
    403,
    "Only a tenant.admin touches a tenant.admin.",
    "Ask somebody who holds the role in reason.",
  ),
  "user.not-deactivated": code(
    409,
    "Only a deactivated user can be erased.",
    "Deactivate the user first: the erasure cannot be undone.",
  ),
  "user.erased": code(
    409,
    "The user was erased to an id.",
    "Invite the person anew: nothing of the old user can be restored.",
  ),
  "notice.not-found": code(
    404,
    "You have no such notice.",
    "Notices are kept for 30 days. List them again.",
  ),
  "user.no-password": code(
    409,
    "The user is a program and has no password.",
    "Make an API key for it instead.",
  ),
  "user.not-service": code(
    409,
    "Keys are made for service users only.",
    "A person generates keys on the own page.",
  ),
  "role.not-grantable": code(
    403,
    "You may not grant or take away this role.",
    "Ask somebody who holds the role in reason.",
  ),
  "auth.link-invalid": code(
    401,
    "The link is not valid, or was used already.",
    "Ask an administrator for a new one.",
  ),
  "auth.link-expired": code(
    403,
    "The link has expired.",
    "Ask an administrator for a new one. reason holds the instant of expiry.",
  ),
  "link.void": code(
    401,
    "The link or token is void.",
    "The account changed since it was created, or its issuer lost the right to create it. Ask for a new one.",
  ),
  "password.unsuitable": code(
    400,
    "The new password cannot be used.",
    "Choose a long one that is not common, not a sequence or repetition, and not made of the login, a name or the tenant. detail says what is wrong with this one.",
  ),
  "session.not-found": code(
    404,
    "There is no such session.",
    "It may have ended. List the sessions again.",
  ),
  "session.same-tenant": code(
    409,
    "The session already belongs to this tenant.",
    "Use the session you have. Sign in with the password for a new one.",
  ),
  "api-key.name-taken": code(
    409,
    "You already have a key of this name.",
    "Choose another name or revoke the other key.",
  ),
  "api-key.not-found": code(404, "There is no such API key.", "Check the id."),
  "api-key.expired": code(409, "The API key has expired.", "Create a new key."),
  "api-key.rotation-required": code(
    409,
    "The key must be rotated before it works again: its secret leaked, or it was handed over.",
    "Rotate the key as its owner. One that leaked must be resumed afterwards.",
  ),
  "api-key.revoked": code(409, "The API key is revoked.", "Create a new key."),
  "customer.locked": code(
    403,
    "The customer's account is locked.",
    "Ask the shop's customer care, which has the permission in reason.",
  ),
  "customer.registration-closed": code(
    403,
    "The shop lets nobody register.",
    "Who has the permission in reason may allow it in the tenant's security policy.",
  ),
  "customer.login-taken": code(
    409,
    "The login is in use at this shop.",
    "Sign in, or choose another login.",
  ),
  "customer.last-site": code(
    409,
    "The customer belongs to this site alone.",
    "Add the customer to another site first; only the customer can delete the account.",
  ),
  "customer.other-sites": code(
    403,
    "The customer also belongs to sites at which you do not have the permission.",
    "Ask somebody who has the permission in reason at each of the customer's sites.",
  ),
  "customer.password-token-session-only": code(
    403,
    "API keys may not create password tokens in this tenant.",
    "Use a session, or ask somebody who has the permission in reason to allow it in the tenant's security policy.",
  ),
  "customer.not-found": code(
    404,
    "There is no such customer at this site.",
    "Check the id and the site.",
  ),
  "origin.not-allowed": code(
    403,
    "Pages of this origin may not call this site.",
    "Add the origin in reason to the allowed origins of the site, exactly as the browser sends it.",
  ),
  "tenant.mismatch": code(
    400,
    "The tenants in header and body differ.",
    "Send the same tenant in both.",
  ),
  "refusal.not-found": code(
    404,
    "There is no such request among the refused ones.",
    "They are kept for seven days. Search by the request id.",
  ),
  "signup.closed": code(
    403,
    "Sign-up is closed on this installation.",
    "Ask the operator to create a tenant, or to turn on the setting in reason.",
  ),
  "tenant.id-taken": code(409, "There is a tenant of this id.", "Choose another id."),
  "tenant.not-found": code(404, "There is no such tenant.", "Check the id."),
  "quota.exceeded": code(
    429,
    "The tenant has as much of this as it may have.",
    "Delete what is not needed, or ask support for a higher limit. reason names the quota.",
  ),
  "quota.not-found": code(404, "There is no such quota.", "Use one of the names in reason."),
  "site.id-taken": code(409, "The tenant has a site of this id.", "Choose another id."),
  "site.name-taken": code(
    409,
    "The tenant has a site of this name.",
    "Choose another name. Upper and lower case count as the same.",
  ),
  "site.not-found": code(404, "The tenant has no such site.", "Check the id."),
  "site.not-empty": code(
    409,
    "Something still belongs to the site.",
    "Remove what reason names, then delete the site.",
  ),
  "site.unknown": code(400, "The tenant has no such site.", "Check the site id in X-Service-Site."),
  "preview.not-found": code(
    404,
    "There is no such preview configuration.",
    "Check the key and the site. PUT never creates one: use POST /pim/preview.",
  ),
  "preview.key-taken": code(
    409,
    "The site has a preview configuration of this key.",
    "Choose another key, or update the one there is.",
  ),
  "preview.archived": code(
    409,
    "The preview configuration is archived.",
    "Take it out of the archive first.",
  ),
  "metrics.range-exceeds-retention": code(
    400,
    "The range begins before the counts that this question needs are kept.",
    "Begin later, ask for longer periods or group by less. reason holds the parameter and the smallest period that fits.",
  ),
  "metrics.too-many-values": code(
    400,
    "The answer would have too many values.",
    "Ask for longer periods or a shorter range. reason holds the parameter and the smallest period that fits.",
  ),
  "metrics.batch-id-reused": code(
    409,
    "The batch id was used with other content.",
    "Use a new batchId for new cells.",
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
    "Try again in a few seconds. Nothing was changed unless you were told so.",
  ),
  "server.store-full": code(503, "The store has no room left.", "Its operator must make room."),
  "server.store-read-only": code(503, "The store takes no writes now.", "Try again in a while."),
  "server.store-busy": code(503, "A lock in the store was waited for in vain.", "Try again."),
  "server.overloaded": code(503, "The server has too much to do.", "Try again in a few seconds."),
  "server.stopping": code(
    503,
    "The server is stopping.",
    "Try again: another instance will answer.",
  ),
} as const satisfies Record<string, CodeEntry>;

export type ErrorCode = keyof typeof errorCodes;

/** Codes that must name in `reason` what is missing: those of 403. */
export type ForbiddenCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]["status"] extends 403 ? Code : never;
}[ErrorCode];
