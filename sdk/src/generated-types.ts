// Generated from /openapi.json by lib/catalogue/testing/client-source. Do not edit.

/** Every code that a response can hold, and its usual status. */
export interface ErrorStatuses {
"request.malformed": 400;
"request.duplicate-header": 400;
"request.header-missing": 400;
"request.header-invalid": 400;
"request.expectation-failed": 417;
"request.target-too-long": 414;
"request.headers-too-large": 431;
"request.body-too-large": 413;
"request.too-many-items": 413;
"request.invalid-json": 400;
"request.invalid-form": 400;
"request.validation-failed": 400;
"request.accept-not-supported": 400;
"request.not-found": 404;
"request.method-not-allowed": 405;
"request.not-acceptable": 406;
"request.unsupported-media-type": 415;
"request.cross-origin": 403;
"request.timed-out": 503;
"request.body-timed-out": 400;
"precondition.invalid": 400;
"precondition.failed": 412;
"precondition.required": 428;
"idempotency.key-invalid": 400;
"idempotency.key-reused": 422;
"idempotency.in-flight": 409;
"idempotency.secret-not-replayable": 409;
"quota.exceeded": 429;
"quota.not-found": 404;
"rate-limit.api-key-exceeded": 429;
"rate-limit.exceeded": 429;
"server.internal-error": 500;
"server.store-unavailable": 503;
"server.store-full": 503;
"server.store-read-only": 503;
"server.store-busy": 503;
"server.overloaded": 503;
"server.stopping": 503;
"auth.credentials-missing": 401;
"auth.credentials-invalid": 401;
"auth.login-failed": 401;
"auth.scheme-not-accepted": 401;
"auth.ambiguous-credentials": 400;
"auth.credentials-expired": 403;
"auth.password-expired": 403;
"auth.password-change-required": 403;
"auth.api-key-suspended": 403;
"auth.address-not-allowed": 403;
"auth.token-wrong-kind": 401;
"auth.token-wrong-site": 401;
"auth.refresh-token-reused": 401;
"auth.second-factor-required": 403;
"auth.second-factor-setup-required": 403;
"auth.second-factor-failed": 401;
"auth.challenge-invalid": 401;
"auth.passkey-failed": 401;
"second-factor.unreadable": 409;
"second-factor.not-found": 404;
"second-factor.confirmed": 409;
"second-factor.limit-reached": 409;
"second-factor.not-set-up": 409;
"auth.step-up-required": 401;
"auth.permission-missing": 403;
"auth.api-key-restricted": 403;
"auth.api-key-unrestricted": 403;
"auth.api-key-of-person": 403;
"auth.too-many-attempts": 429;
"auth.busy": 503;
"role.not-grantable": 403;
"role.held-by-group": 409;
"auth.link-invalid": 401;
"auth.link-expired": 403;
"link.void": 401;
"password.unsuitable": 400;
"session.not-found": 404;
"session.same-tenant": 409;
"origin.not-allowed": 403;
"tenant.mismatch": 400;
"signup.closed": 403;
"mail.off": 403;
"tenant.id-taken": 409;
"tenant.not-found": 404;
"site.id-taken": 409;
"site.name-taken": 409;
"site.not-found": 404;
"site.not-empty": 409;
"access-request.not-found": 404;
"access-request.decided": 409;
"access-request.not-needed": 409;
"access-request.limit-reached": 409;
"site.unknown": 400;
"user.locked": 403;
"user.deactivated": 403;
"user.no-role": 403;
"user.other-home": 403;
"user.not-found": 404;
"user.login-taken": 409;
"user.last-admin": 409;
"user.oneself": 403;
"user.system": 403;
"user.admin-only": 403;
"user.session-only": 403;
"user.not-deactivated": 409;
"user.erased": 409;
"notice.not-found": 404;
"user.no-password": 409;
"user.not-service": 409;
"customer.locked": 403;
"customer.registration-closed": 403;
"customer.login-taken": 409;
"customer.last-site": 409;
"customer.other-sites": 403;
"customer.password-token-session-only": 403;
"customer.not-found": 404;
"refusal.not-found": 404;
"preview.not-found": 404;
"preview.key-taken": 409;
"preview.archived": 409;
"preview.share-not-found": 404;
"preview.comment-not-found": 404;
"preview.comment-of-other": 403;
"preview.limit-reached": 409;
"release.not-found": 404;
"release.ended": 409;
"release.conflict": 409;
"audit-stream.rotation-in-progress": 409;
"audit-stream.not-found": 404;
"audit-stream.not-signed": 409;
"webhook.rotation-in-progress": 409;
"webhook.not-found": 404;
"webhook.delivery-not-found": 404;
"customer.import-running": 409;
"customer.import-ended": 409;
"customer.import-not-found": 404;
"alert.not-found": 404;
"alert.not-firing": 409;
"marker.not-found": 404;
"marker.of-other": 403;
"view.not-found": 404;
"view.of-other": 403;
"view.limit-reached": 409;
"metrics.range-exceeds-retention": 400;
"metrics.too-many-values": 400;
"metrics.batch-id-reused": 409;
"connection.not-found": 404;
"connection.limit-reached": 409;
"connection.needed": 409;
"identity.not-found": 404;
"identity.only-way": 409;
"auth.password-not-accepted": 403;
"auth.passkey-not-accepted": 403;
"sign-out.token-invalid": 400;
"sign-in.not-safe": 409;
"emergency-administrator.limit-reached": 409;
"emergency-administrator.unsuitable": 409;
"emergency-administrator.not-found": 404;
"emergency-administrator.last": 409;
"api-key.name-taken": 409;
"api-key.not-found": 404;
"api-key.expired": 409;
"api-key.rotation-required": 409;
"api-key.suspended": 409;
"api-key.hand-off-limit-reached": 409;
"api-key.hand-off-not-found": 404;
"api-key.revoked": 409;
}

export interface AcceptInvitationRequest {
/** A secret token. */
token: string;
/** At least 15 characters: not common, not a sequence, without the login or a name. */
password: string;
}

export interface AcceptInvitationResponse {
/** The id. */
id: string;
/** The id of a tenant. */
tenant: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
}

export interface AccessRequest {
/** The id. */
id: string;
/** The user. */
user: {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
};
/** The id of a role. */
role: string;
/** null for the whole tenant */
site: string | null;
/** Empty where the person gave none */
reason: string;
/** The state of the user. */
state: "open" | "granted" | "declined";
/** When it was created. */
createdAt: string;
/** null while open */
decidedAt: string | null;
}

export interface Address {
/** The name of the business. */
businessName?: string;
/** The city. */
city?: string;
/** The country. */
country?: string;
/** The county. */
county?: string;
/** A name for people. */
label?: string;
/** A name for people. */
name?: Name;
/** The phone number. */
phoneNumber?: string;
/** Whether it is a post-office box. */
poBox?: boolean;
/** The postal code. */
postalCode?: string;
/** The state or region. */
stateOrRegion?: string;
/** The first line of the street. */
street1?: string;
/** The second line of the street. */
street2?: string;
}

export interface AddressInput {
/** The name of the business. */
businessName?: string;
/** The city. */
city?: string;
/** The country. */
country?: string;
/** The county. */
county?: string;
/** A name for people. */
label?: string;
/** A name for people. */
name?: NameInput;
/** The phone number. */
phoneNumber?: string;
/** Whether it is a post-office box. */
poBox?: boolean;
/** The postal code. */
postalCode?: string;
/** The state or region. */
stateOrRegion?: string;
/** The first line of the street. */
street1?: string;
/** The second line of the street. */
street2?: string;
}

export type AggregationGroup = "domain" | "site" | "endpoint" | "method" | "status" | "statusClass" | "apiKey" | "user" | "credentialKind";

/** Minutes must divide 60, hours 24 and months 12; days and weeks come one at a time. */
export interface AggregationPeriod {
/** The unit. */
unit: "minute" | "hour" | "day" | "week" | "month";
/** How many. */
count?: number;
/** A name of the IANA time zone data base */
timeZone?: string;
}

export interface Alert {
/** The id. */
id: string;
/** A name for people. */
name: string;
/** calls and silence: calls a minute. *-rate: 5xx or 4xx of all. latency-*: milliseconds */
measure: "calls" | "error-rate" | "client-error-rate" | "latency-p50" | "latency-p95" | "latency-p99" | "silence";
/** Which calls: all that match each field */
filter: {
/** The id of a site. */
site?: string;
/** The part of the platform that was called. */
domain?: string;
/** The operation or path that was called. */
endpoint?: string;
/** The id of an API key */
apiKey?: string;
};
/** Fires while both windows are above it; silence while both are at or below it. Rates: 0 to 1 */
threshold: number;
/** PT5M to PT6H. The short window is a twelfth of it */
window: string;
/** The second window, which ends with the first */
shortWindow: string;
/** Calls that the window must have; silence: on the day before it */
minimumCount: number;
/** Ids of people who are mailed when it fires and resolves */
mailTo: Array<string>;
/** When it was created. */
createdAt: string;
/** Until when no event is made of it */
mutedUntil: string | null;
/** What the last check found */
state: {
/** Over the window: calls a minute, a share, or milliseconds */
value: number | null;
/** The same over the short window */
shortValue: number | null;
/** How many calls were counted. */
calls: number | null;
/** pending: not checked yet. no-data: fewer calls than minimumCount */
status: "pending" | "ok" | "firing" | "no-data";
/** Since when it has this status */
since: string;
/** Where the last windows ended */
checkedTo: string | null;
/** Of the present firing */
acknowledgedAt: string | null;
/** The id of a user */
acknowledgedBy: string | null;
};
}

export interface AlertChange {
/** A name for people. */
name?: string;
/** calls and silence: calls a minute. *-rate: 5xx or 4xx of all. latency-*: milliseconds */
measure?: "calls" | "error-rate" | "client-error-rate" | "latency-p50" | "latency-p95" | "latency-p99" | "silence";
/** Which calls; replaces whole */
filter?: {
/** With authority at one site: that site */
site?: string;
/** The part of the platform that was called. */
domain?: string;
/** The operation or path that was called. */
endpoint?: string;
/** The id of an API key */
apiKey?: string;
};
/** Fires while both windows are above it; silence while both are at or below it. Rates: 0 to 1 */
threshold?: number;
/** PT5M to PT6H. The short window is a twelfth of it */
window?: string;
/** Calls that the window must have; silence: on the day before it */
minimumCount?: number;
/** Ids of people who are mailed when it fires and resolves */
mailTo?: Array<string>;
}

export interface AlertEntry {
/** Counts the entries of the rule */
number: number;
/** When it happened. */
at: string;
/** What kind it is. */
kind: "fired" | "resolved" | "acknowledged" | "muted" | "unmuted" | "changed";
/** Why it resolved */
reason: "recovered" | "no-data" | "changed" | null;
/** Of the window, when it fired or resolved */
value: number | null;
/** The same over the short window */
shortValue: number | null;
/** How many calls were counted. */
calls: number | null;
/** At that time */
threshold: number | null;
/** Until when it was muted */
until: string | null;
/** Who did it; null for the service */
userId: string | null;
}

export interface AlertTest {
/** The first instant. */
from: string;
/** The instant after the last one. */
to: string;
/** How often it would have fired */
count: number;
/** The newest 200, oldest first */
firings: Array<{
/** The first instant. */
from: string;
/** null: it would still fire */
to: string | null;
/** The worst value of its window; of silence the least */
peak: number;
}>;
/** The beginning of each bucket. */
times: Array<string>;
/** The worst value of the window from each time to the next; null without data */
values: Array<number | null>;
}

export interface AlertTrial {
/** calls and silence: calls a minute. *-rate: 5xx or 4xx of all. latency-*: milliseconds */
measure: "calls" | "error-rate" | "client-error-rate" | "latency-p50" | "latency-p95" | "latency-p99" | "silence";
/** Which calls: all that match each field */
filter?: {
/** With authority at one site: that site */
site?: string;
/** The part of the platform that was called. */
domain?: string;
/** The operation or path that was called. */
endpoint?: string;
/** The id of an API key */
apiKey?: string;
};
/** Fires while both windows are above it; silence while both are at or below it. Rates: 0 to 1 */
threshold: number;
/** PT5M to PT6H. The short window is a twelfth of it */
window: string;
/** Calls that the window must have; silence: on the day before it */
minimumCount?: number;
/** Days that counts of one dimension are kept. */
days?: number;
}

export interface ApiKey {
/** The id of the API key. */
apiKeyId: string;
/** A name for people. */
name: string;
/** The last characters of the key, to recognise it by. */
hint: string;
/** The status. */
status: "active" | "suspended" | "expired" | "revoked";
/** When it was created. */
createdAt: string;
/** When the API key expires. */
validTo: string;
/** When the key was last used, to the minute; null if never. */
lastUsedAt: string | null;
/** The address of the last use. */
lastUsedIp: string | null;
/** The operation of the last use. */
lastUsedOperation: string | null;
/** Until when the secret before the last rotation works */
previousValidTo: string | null;
/** Resuming requires a rotation: the secret was reported as leaked, or the key handed over */
rotationRequired: boolean;
/** Handed over and not rotated since: suspended until its new owner rotates it */
handedOver: boolean;
/** The permissions. For a restricted key: what it was restricted to; null if it was not. */
permissions: Array<string> | null;
/** The sites by id. */
sites: Array<string> | null;
/** How often an API key may be used; null if it has no limit of its own. */
rateLimit: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
} | null;
/** The ranges that an API key may be used from; null if it may be used from any. */
allowedAddresses: Array<string> | null;
}

export interface ApiKeyChange {
/** A name for people. */
name?: string;
/** When the API key expires. */
validTo?: string;
/** null removes it */
rateLimit?: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
} | null;
/** Replaces the list; null removes it */
allowedAddresses?: Array<string> | null;
}

export interface ApiKeyDetails {
/** The id of the API key. */
apiKeyId: string;
/** A name for people. */
name: string;
/** The last characters of the key, to recognise it by. */
hint: string;
/** The status. */
status: "active" | "suspended" | "expired" | "revoked";
/** When it was created. */
createdAt: string;
/** When the API key expires. */
validTo: string;
/** When the key was last used, to the minute; null if never. */
lastUsedAt: string | null;
/** The address of the last use. */
lastUsedIp: string | null;
/** The operation of the last use. */
lastUsedOperation: string | null;
/** Until when the secret before the last rotation works */
previousValidTo: string | null;
/** Resuming requires a rotation: the secret was reported as leaked, or the key handed over */
rotationRequired: boolean;
/** Handed over and not rotated since: suspended until its new owner rotates it */
handedOver: boolean;
/** The permissions. For a restricted key: what it was restricted to; null if it was not. */
permissions: Array<string> | null;
/** The sites by id. */
sites: Array<string> | null;
/** How often an API key may be used; null if it has no limit of its own. */
rateLimit: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
} | null;
/** The ranges that an API key may be used from; null if it may be used from any. */
allowedAddresses: Array<string> | null;
/** Who still uses the previous secret. */
previousUses: Array<PreviousUse>;
}

export interface AuditChain {
/** The id of a tenant. */
tenant: string;
/** The number of the entry. */
seq: number;
/** The hash of the entry before. */
previousHash: string;
/** The SHA-256 hash. */
hash: string;
/** The id of the API key or signing key. */
keyId?: string;
/** The keyed hash. */
mac?: string;
/** Salted hashes of the values that may be erased, by path */
personal?: Record<string, {
/** The SHA-256 hash. */
hash: string;
/** The salt of the hash. */
salt?: string;
}>;
/** The salted hash of the address. */
addressHash: string;
/** The salted hash of the User-Agent. */
agentHash: string;
/** The salt of the hash. */
salt: string;
}

export interface AuditEvent {
/** The id. */
id: string;
/** When it happened. */
occurredAt: string;
/** Who did it. */
actor: {
/** What kind it is. */
type: "user" | "service" | "system" | "customer";
/** The id. */
id: string;
/** The name that the account signs in with. */
login?: string;
/** The id of the API key or signing key. */
keyId?: string;
};
/** What was done. */
action: string;
/** What it was done to. */
target: {
/** What kind it is. */
type: string;
/** The id. */
id: string;
/** A name for people. */
name?: string;
};
/** What changed, by field. */
changes: Record<string, {
/** The value before. */
before?: unknown;
/** The value after. */
after?: unknown;
}>;
/** The id of the request. */
requestId: string;
/** The address. */
address?: string;
/** Whether it succeeded. */
result: "success" | "failure";
}

export interface AuditHead {
/** The id of a tenant. */
tenant: string;
/** The number of the entry that was the newest */
seq: number;
/** Its hash, which the export lets anybody compute again */
hash: string;
/** The keyed hash. */
mac: string;
/** When it happened. */
at: string;
/** The Ed25519 key in /.well-known/jwks.json */
kid: string;
/** base64url, over the canonical JSON of the other members and type gatehouse-audit-head */
signature: string;
}

export interface AuditStream {
/** The id. */
id: string;
/** What kind it is. */
kind: "https" | "syslog" | "s3" | "file";
/** https and s3, there without a path */
url?: string;
/** syslog */
host?: string;
/** syslog */
port?: number;
/** s3 */
region?: string;
/** s3 */
bucket?: string;
/** s3: what the names of objects begin with */
prefix?: string;
/** s3 */
accessKeyId?: string;
/** s3: for how long entries are gathered */
every?: string;
/** file */
folder?: string;
/** PEM of authorities of your own */
ca?: string;
/** A text for people */
description: string;
/** The status. */
status: "enabled" | "disabled";
/** failing: no delivery succeeded for three days. gone: the URL answered 410 */
disabledReason: "by-user" | "failing" | "gone" | null;
/** When it was created. */
createdAt: string;
/** https: what batches are signed with, shown when it is made and never again */
secret?: string;
/** How far the delivery has come */
state: {
/** The number of the last entry that was delivered: chain.seq */
position: number;
/** When that was */
deliveredAt: string | null;
/** How many entries are not delivered yet */
behind: number;
/** When the oldest of them was made */
behindSince: string | null;
/** When the first attempt failed since the last success */
failingSince: string | null;
/** null: at once */
nextAttemptAt: string | null;
/** The newest entries that were deleted by age before they were delivered */
missed: {
/** The first name. */
first: number;
/** The last name. */
last: number;
/** When it happened. */
at: string;
} | null;
/** The newest 20, oldest first */
attempts: Array<{
/** When it happened. */
at: string;
/** Milliseconds until the response. */
durationMs: number;
/** Of the response, if there was one */
status?: number;
/** Of the response */
contentType?: string;
/** The beginning of the response body */
response?: string;
/** Why there was no response, or none of 2xx */
problem?: string;
/** The number of the first entry */
first: number;
/** The last name. */
last: number;
}>;
};
}

export interface AuditStreamChange {
/** https and s3, there without a path */
url?: string;
/** syslog */
host?: string;
/** syslog: 6514 without it */
port?: number;
/** s3 */
region?: string;
/** s3 */
bucket?: string;
/** s3: what the names of objects begin with */
prefix?: string;
/** s3 */
accessKeyId?: string;
/** s3: for how long entries are gathered; PT1M without it, at most PT15M */
every?: string;
/** s3: stored encrypted, never shown */
secretAccessKey?: string;
/** file */
folder?: string;
/** https: null removes it */
authorization?: string | null;
/** null removes it */
ca?: string | null;
/** A text for people */
description?: string;
}

export interface AuditVerification {
/** Whether everything is as it was written. */
valid: boolean;
/** false: there was no time for the rest. Go on with after=checkedTo */
complete: boolean;
/** How many entries were looked at */
entries: number;
/** The number of the last entry that was found right */
checkedTo: number;
/** The newest entry. */
head: {
/** The number of the entry. */
seq: number;
/** The SHA-256 hash. */
hash: string;
};
/** The signed end of what is no longer kept */
checkpoint?: {
/** The number of the entry. */
seq: number;
/** When it was made. */
madeAt: string;
};
/** The newest signed head */
signed?: {
/** The number of the entry. */
seq: number;
/** When it happened. */
at: string;
};
/** The first entry that is not as it was written */
broken?: {
/** The number of the entry. */
seq: number;
/** The id. */
id?: string;
/** What is wrong. */
problem: "missing" | "erased" | "truncated" | "link" | "content" | "mac" | "key" | "unkeyed" | "personal" | "address" | "agent" | "head" | "signed-head" | "checkpoint";
};
}

/** How the person was authenticated then: password, totp, recovery-code, passkey (which counts as two factors), connection (an identity provider) */
export type AuthenticatedBy = Array<string>;

export interface BeginSetUpRequest {
/** The reason of auth.second-factor-setup-required */
challenge: string;
}

export interface BeginSetUpResponse {
/** For an authenticator app */
totp: {
/** The id. */
id: string;
/** In base32 */
secret: string;
/** otpauth:, for a QR code */
uri: string;
};
/** For navigator.credentials.create() */
passkey: NewPasskeyOptions;
}

export interface Card {
/** Trailing digits only */
cardNumber?: string;
/** The brand of the card. */
cardType?: string;
/** The month in which the card expires. */
expirationMonth?: string;
/** The year in which the card expires. */
expirationYear?: string;
/** A name for people. */
label?: string;
/** Payment token */
token?: string;
}

export interface CardInput {
/** Trailing digits only */
cardNumber?: string;
/** The brand of the card. */
cardType?: string;
/** The month in which the card expires. */
expirationMonth?: string;
/** The year in which the card expires. */
expirationYear?: string;
/** A name for people. */
label?: string;
/** Payment token */
token?: string;
}

export interface ChangeCustomerPassword {
/** For a session: whether it is the caller's own. For a password: the one so far. */
current: string;
/** At least 8 characters: not common, not a sequence, without the login or a name. */
password: string;
}

export interface ChangePassword {
/** For a session: whether it is the caller's own. For a password: the one so far. */
current: string;
/** At least 15 characters: not common, not a sequence, without the login or a name. */
password: string;
}

export interface CloudEvent {
/** The version of CloudEvents. */
specversion: "1.0";
/** The id. */
id: string;
/** Where it comes from. */
source: string;
/** What kind it is. */
type: string;
/** What it is about. */
subject: string;
/** The instant that it is about. */
time: string;
/** The media type of the data. */
datacontenttype: "application/json";
/** The site that it is about, if it is about one */
site?: string;
/** The data. */
data: {
/** Who did it. */
actor: {
/** What kind it is. */
type: "user" | "service" | "system" | "customer";
/** The id. */
id: string;
/** The name that the account signs in with. */
login?: string;
/** The id of the API key or signing key. */
keyId?: string;
};
/** What it was done to. */
target: {
/** What kind it is. */
type: string;
/** The id. */
id: string;
/** A name for people. */
name?: string;
};
/** What changed, by field. Values are shown only with audit.read */
changes: Record<string, {
/** The value before. */
before?: unknown;
/** The value after. */
after?: unknown;
}>;
/** The id of the request. */
requestId: string;
/** Whether it succeeded. */
result: "success" | "failure";
};
}

/** The 6 digits that the authenticator app shows */
export type Code = string;

export interface ConfirmEmailAddressRequest {
/** A secret token. */
token: string;
}

export interface ConfirmPasswordReset {
/** A secret token. */
token: string;
/** At least 8 characters: not common, not a sequence, without the login or a name. */
password: string;
}

export interface ConfirmPasswordResetRequest {
/** A secret token. */
token: string;
/** At least 15 characters: not common, not a sequence, without the login or a name. */
password: string;
}

export interface ConfirmSecondFactorRequest {
/** The error code. */
code: Code;
}

export interface ConfirmSecondFactorResponse {
recoveryCodes?: RecoveryCodes;
}

export interface Connection {
/** The id. */
id: string;
/** What the button of the sign-in page shows */
name: string;
/** As the provider writes it in its ID tokens */
issuer: string;
/** What the provider calls this service */
clientId: string;
/** What is asked for at the provider */
scopes: Array<string>;
/** Which claims describe somebody new */
claims: {
/** The claim with the login of somebody new */
login: string;
/** The claim with the e-mail address of somebody new */
email: string;
/** The claim with the name of somebody new */
name: string;
/** The claim with the groups of a person; null: sign-ins say none */
groups: string | null;
};
/** Somebody new needs an e-mail address of one of these domains; empty: any */
domains: Array<string>;
/** linked-only: only who linked the provider to an account signs in. on-first-sign-in: others become new users with the role portal.default; an existing user is never taken over by an e-mail address */
provisioning: "linked-only" | "on-first-sign-in";
/** Whether the sign-in page offers it */
isEnabled: boolean;
/** Which claim of the ID token is the externalId of provisioned people: at their first sign-in they are linked by it. none: they link the provider themselves */
externalIdClaim: "none" | "sub" | "oid";
/** Which roles the members of groups have */
groupRoles: Array<GroupRoles>;
/** The redirect URI to register at the provider */
redirectUri: string;
/** The address for back-channel sign-out (OpenID Connect) to register at the provider */
backchannelLogoutUri: string;
/** Where a browser is sent that signed out at the provider: to register there */
postLogoutRedirectUri: string;
/** The address for provisioning by SCIM 2.0 */
provisioningUrl: string;
/** When it was created. */
createdAt: string;
}

export interface ConnectionChange {
/** What the button of the sign-in page shows */
name?: string;
/** As the provider writes it in its ID tokens: https, and no private, local or reserved address */
issuer?: string;
/** What the provider calls this service */
clientId?: string;
/** Stored encrypted, never shown. Needed again when the issuer changes */
clientSecret?: string;
/** What is asked for at the provider; openid is always among them */
scopes?: Array<string>;
/** Which claims describe somebody new */
claims?: {
/** The claim with the login of somebody new */
login?: string;
/** The claim with the e-mail address of somebody new */
email?: string;
/** The claim with the name of somebody new */
name?: string;
/** The value of each dimension that was grouped by. */
groups?: string | null;
};
/** Somebody new needs an e-mail address of one of these domains; empty: any */
domains?: Array<string>;
/** linked-only: only who linked the provider to an account signs in. on-first-sign-in: others become new users with the role portal.default; an existing user is never taken over by an e-mail address */
provisioning?: "linked-only" | "on-first-sign-in";
/** Whether the sign-in page offers it */
isEnabled?: boolean;
/** Which claim of the ID token is the externalId of provisioned people: at their first sign-in they are linked by it. none: they link the provider themselves */
externalIdClaim?: "none" | "sub" | "oid";
groupRoles?: NewGroupRoles;
}

export interface CountRecoveryCodesResponse {
/** How many were not used */
recoveryCodesLeft: number;
}

export interface CreateAnonymousTokenResponse {
/** The token, for Authorization: Bearer. */
accessToken: string;
/** The scheme of the token. */
tokenType: "Bearer";
/** Seconds until the token expires. */
expiresIn: number;
}

export interface CreatePasskeyRequest {
/** A name for people. */
name?: string;
passkey: NewPasskey;
}

export interface CreatePasskeyResponse {
/** The id. */
id: string;
/** What kind it is. */
kind: "totp" | "passkey";
/** A name for people. */
name: string;
/** When it was created. */
createdAt: string;
/** When the key was last used, to the minute; null if never. */
lastUsedAt?: string;
recoveryCodes?: RecoveryCodes;
}

export interface CreatePasswordTokenResponse {
/** The id. */
id: string;
/** A secret token. */
token: string;
/** When it expires. */
expiresAt: string;
}

export interface CreatePortalTokenResponse {
/** The token, for Authorization: Bearer. */
accessToken: string;
/** The scheme of the token. */
tokenType: "Bearer";
/** Seconds until the token expires. */
expiresIn: number;
}

export interface CreatePreviewShareResponse {
/** The id. */
id: string;
/** void: whoever made it could not make it any more */
status: "active" | "expired" | "void";
/** When the API key expires. */
validTo: string;
/** A text for people */
comment: string;
/** When it was created. */
createdAt: string;
/** The id of a user */
createdBy: string;
/** The link, shown only here */
url: string;
}

export interface CreateProvisioningTokenRequest {
/** P1D without it, at most P7D */
overlap?: string;
}

export interface CreateRecoveryCodesResponse {
recoveryCodes: RecoveryCodes;
}

export interface CreateSandboxResponse {
/** The id of a tenant. */
tenant: string;
/** The id of a site. */
site: string;
/** A name for people. */
name: string;
}

export interface CreateSecondFactorRequest {
/** What kind it is. */
kind: "totp";
/** A name for people. */
name?: string;
}

export interface CreateSecondFactorResponse {
/** The id. */
id: string;
/** What kind it is. */
kind: "totp";
/** A name for people. */
name: string;
/** In base32 */
secret: string;
/** otpauth:, for a QR code */
uri: string;
/** Until a code confirmed it, it counts for nothing */
isConfirmed: false;
}

export interface CreateTenantResponse {
/** The id. */
id: string;
/** A name for people. */
name: string;
/** What kind it is. */
kind: "platform" | "production" | "sandbox" | "demo";
/** When it was created. */
createdAt: string;
/** The tenant's first administrator. */
admin: {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** The link for the person to open. */
url: string;
/** A secret token. */
token: string;
/** When it expires. */
expiresAt: string;
};
}

export interface CreateWebhookResponse {
/** The id. */
id: string;
/** The link for the person to open. */
url: string;
/** Types of events, such as user.locked, user.* or * */
types: Array<string>;
/** Only events about this site; null for all */
site: string | null;
/** A text for people */
description: string;
/** The status. */
status: "enabled" | "disabled";
/** failing: no delivery succeeded for three days. gone: the URL answered 410 */
disabledReason: "by-user" | "failing" | "gone" | null;
/** When the first attempt failed since the last success; null if the last one succeeded */
failingSince: string | null;
/** When it was created. */
createdAt: string;
/** Until when deliveries are also signed with the secret before the last rotation */
previousSecretValidTo: string | null;
/** What deliveries are signed with (Standard Webhooks), shown only here */
secret: string;
}

export interface CurrentSession {
/** The user. */
user: {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
};
/** The id of a tenant. */
tenant: string;
/** The id of a site. */
site?: string;
/** The roles. */
roles: TenantRoles;
/** The permissions. For a restricted key: what it was restricted to; null if it was not. */
permissions: Array<string>;
/** When it expires. */
expiresAt?: string;
/** When it expires if it is not used before. */
idleExpiresAt?: string;
/** Present while a one-time password has to be changed first. */
passwordChangeRequired?: true;
}

export interface Customer {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string | null;
/** The e-mail address. */
emailAddress: string | null;
/** When the account was created. */
registrationDate: string;
/** When the account last signed in; null if never. */
lastLoginAt: string | null;
/** The ids of the sites that the customer belongs to. */
siteIds: Array<string>;
/** Whether the account is locked now. */
lock: boolean;
}

export interface CustomerAccess {
/** When it happened. */
occurredAt: string;
/** What was done. */
action: string;
/** Who did it. */
by: {
/** What kind it is. */
type: string;
/** The id. */
id: string;
};
/** Which personal data was shown */
fields: Array<string>;
/** Why: for people where somebody gave it, for programs in an error. */
reason?: string;
}

export interface CustomerActivity {
/** When it happened. */
occurredAt: string;
/** What was done. */
action: string;
/** The id of a site. */
siteId: string;
/** The names of fields. */
fields: Array<string>;
/** The address. */
address: string;
/** The User-Agent of the request. */
agent: string;
}

export interface CustomerDetail {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string | null;
/** The e-mail address. */
emailAddress: string | null;
/** When the account was created. */
registrationDate: string;
/** When the account last signed in; null if never. */
lastLoginAt: string | null;
/** The ids of the sites that the customer belongs to. */
siteIds: Array<string>;
/** Whether the account is locked now. */
lock: boolean;
/** Raised by each change of profile or sites */
revision: number;
/** Why the account is locked. */
lockReason: string | null;
/** When the account was locked. */
lockedAt: string | null;
/** When the lock ends by itself; null if it does not. */
lockedUntil: string | null;
/** The date of birth. */
birthDate: string | null;
/** One letter. */
gender: string | null;
/** How many of each. */
counts: {
/** The addresses. */
addresses: number;
/** The e-mail addresses. */
emailAddresses: number;
/** The payment cards. */
creditCards: number;
/** The subscriptions. */
subscriptions: number;
};
/** Sites of the customer at which the caller lacks customer.manage. While there are any, lock, unlock, end-sessions, password-token, reveal and erasure are refused (403 customer.other-sites) */
unmanagedSiteIds: Array<string>;
/** The sign-ins that are open. */
sessions: Array<CustomerSession>;
/** What the customer did recently. */
activity: Array<CustomerActivity>;
}

export interface CustomerImport {
/** The id. */
id: string;
/** receiving: the file is on its way */
state: "receiving" | "queued" | "running" | "done" | "cancelled";
/** Lines that are not empty */
total: number;
/** Customers that were created */
done: number;
/** Lines that were refused */
failed: number;
/** The id of a user */
createdBy: string;
/** When it was created. */
createdAt: string;
/** null while it waits */
startedAt: string | null;
/** null until it is done or cancelled */
endedAt: string | null;
}

export interface CustomerLogin {
/** The name that the account signs in with. */
login: string;
/** The password. It is stored only as a hash. */
password: string;
}

export interface CustomerProfile {
/** The addresses. */
addresses: {
/** The addresses. */
addresses: Array<Address>;
/** The address for bills: one of the addresses. */
defaultBilling?: Address;
/** The address for deliveries: one of the addresses. */
defaultShipping?: Address;
};
/** The date of birth. */
birthDate?: string;
/** The payment cards. */
creditCards: {
/** The cards. */
cards: Array<Card>;
/** The preferred one of the list. */
default?: Card;
};
/** The id of the preferred store. */
defaultLocationId?: string;
/** The e-mail addresses. */
emailAddresses: {
/** The addresses. */
addresses: Array<EmailAddress>;
/** The preferred one of the list. */
default?: EmailAddress;
};
/** One letter. */
gender?: string;
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name?: Name;
/** When the account was created. */
registrationDate: string;
/** The ids of the sites that the customer belongs to. */
siteIds: Array<string>;
/** The subscriptions. */
subscriptions: {
/** Catalogues by post. */
addressCatalogs: Array<{
/** The address. */
address: Address;
/** A name for people. */
label?: string;
}>;
/** Catalogues by e-mail. */
emailCatalogs: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
/** Newsletters by e-mail. */
emailNewsletters: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
};
}

export interface CustomerSession {
/** Identifies the session without being its secret. */
ref: string;
/** The id of a site. */
siteId: string;
/** When it was created. */
createdAt: string;
/** When it was last used, to the minute. */
lastSeenAt: string;
/** When it expires. */
expiresAt: string;
/** The address. */
address: string;
/** The User-Agent of the request. */
agent: string;
}

export interface CustomerTokenPair {
/** The token, for Authorization: Bearer. */
accessToken: string;
/** The token that obtains the next pair. It changes with each use. */
refreshToken: string;
}

export interface DecideAccessRequestRequest {
/** What becomes of it */
decision: "grant" | "decline";
/** When the role ends */
expiresAt?: string;
}

export interface EmailAddress {
/** The address. */
address: string;
/** A name for people. */
label?: string;
}

export interface EmailAddressInput {
/** The address. */
address: string;
/** A name for people. */
label?: string;
}

export interface EmergencyAdministrator {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** Whether a password and a second factor sign the person in as tenant.admin now */
isReady: boolean;
/** Whether a second factor is set up */
hasSecondFactor: boolean;
/** When it was created. */
createdAt: string;
/** The last sign-in that the policy allows to emergency administrators only */
lastUsedAt?: string;
}

export interface EraseCustomer {
/** Why: for people where somebody gave it, for programs in an error. */
reason: string;
}

export interface EraseUser {
/** Why: for people where somebody gave it, for programs in an error. */
reason: string;
}

export type EventTypePattern = string;

export interface ExchangePreviewShareRequest {
/** A secret token. */
token: string;
}

export interface ExchangePreviewShareResponse {
/** For the header X-Service-Preview-Share */
accessToken: string;
/** Seconds */
expiresIn: number;
/** The id of the share */
share: string;
/** When the share expires */
validTo: string;
}

export interface Explanation {
/** Whether the call is allowed. */
allowed: boolean;
/** What allows it. */
because: Array<{
/** A sentence for people. */
detail: string;
/** The id of a role. */
role?: string;
/** The id of a site. */
site?: string;
/** A permission. */
permission?: string;
}>;
/** Permissions that a role would have to give */
missing: Array<string>;
/** What else stands in the way, by the code that a request would get */
blockedBy: Array<{
/** The error code. */
code: string;
/** A sentence for people. */
detail: string;
/** Why: for people where somebody gave it, for programs in an error. */
reason?: string;
}>;
}

export interface ExportCountsItem {
/** The instant that it is about. */
time: string;
/** The value of each dimension that was grouped by. */
groups: Record<string, string>;
/** How many. */
count: number;
}

export interface ExportCustomers {
/** Why: for people where somebody gave it, for programs in an error. */
reason: string;
}

export type ExportRecord = {
/** What kind it is. */
type: "profile";
/** The data. */
data: CustomerProfile;
} | {
/** What kind it is. */
type: "session";
/** The data. */
data: CustomerSession;
} | {
/** What kind it is. */
type: "activity";
/** The data. */
data: CustomerActivity;
} | {
/** What kind it is. */
type: "access";
/** The data. */
data: CustomerAccess;
};

export interface ExportedAuditEvent {
/** The id. */
id: string;
/** When it happened. */
occurredAt: string;
/** Who did it. */
actor: {
/** What kind it is. */
type: "user" | "service" | "system" | "customer";
/** The id. */
id: string;
/** The name that the account signs in with. */
login?: string;
/** The id of the API key or signing key. */
keyId?: string;
};
/** What was done. */
action: string;
/** What it was done to. */
target: {
/** What kind it is. */
type: string;
/** The id. */
id: string;
/** A name for people. */
name?: string;
};
/** What changed, by field. */
changes: Record<string, {
/** The value before. */
before?: unknown;
/** The value after. */
after?: unknown;
}>;
/** The id of the request. */
requestId: string;
/** The address. */
address?: string;
/** Whether it succeeded. */
result: "success" | "failure";
/** For npm run audit:verify. All values are hexadecimal */
chain: AuditChain;
}

export interface FinishSetUp {
/** The reason of auth.second-factor-setup-required */
challenge: string;
/** The authenticator app, and a code that it shows */
totp?: {
/** The id. */
id: string;
/** The error code. */
code: Code;
};
passkey?: NewPasskey;
/** A name for people. */
name?: string;
}

export interface FinishSetUpResponse {
/** The session id, for X-Service-Session-Id. */
sessionId: string;
recoveryCodes: RecoveryCodes;
}

export interface GetWebhookDeliveryResponse {
/** The id of the event */
id: string;
/** What kind it is. */
type: string;
/** What it is about. */
subject: string;
/** pending: it is tried again. failed: it was given up after three days */
status: "pending" | "delivered" | "failed";
/** When it was created. */
createdAt: string;
/** null while an earlier event of its subject is pending, and for what is not */
nextAttemptAt: string | null;
/** The newest 20, oldest first */
attempts: Array<{
/** When it happened. */
at: string;
/** Milliseconds until the response. */
durationMs: number;
/** Of the response, if there was one */
status?: number;
/** Of the response */
contentType?: string;
/** The beginning of the response body */
response?: string;
/** Why there was no response, or none of 2xx */
problem?: string;
}>;
/** The body of the request, which the signature covers */
body: string;
}

export interface GroupRoles {
/** The name of the group, exactly as the provider writes it in a claim or by provisioning */
group: string;
/** The roles. */
roles: TenantRoles;
/** Whether it may give tenant.admin and portal.users.mgmt. The provider decides then who has them */
grantsAdministration: boolean;
}

export interface GroupRolesPreview {
/** The value of each dimension that was grouped by. */
groups: Array<{
/** The group that it belongs to. */
group: string;
/** People known to be in it: by provisioning or their last sign-in */
members: number;
}>;
/** How many people gain or lose roles */
changes: number;
/** The first 200 of them, who lose something first */
people: Array<{
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
gains: TenantRoles;
loses: TenantRoles;
}>;
}

export interface HandOff {
/** As the audit trail names the hand-off */
id: string;
/** What opens it, once; readable only here */
token: string;
/** Until when it opens: not later than the key expires */
expiresAt: string;
}

export interface HandOverKeyRequest {
/** The id of a user. */
userId: string;
}

export interface HandedOverKey {
/** Only where the new owner is a service user */
apiKey?: string;
/** The id of the API key. */
apiKeyId: string;
/** When the API key expires. */
validTo: string;
/** suspended until a person, as the new owner, rotates the key */
status: "active" | "suspended" | "expired" | "revoked";
}

export interface Holder {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** Whether the account is locked now. */
lock: boolean;
/** The roles. */
roles: Array<{
/** The id of a role. */
role: string;
/** The id of a site. */
site?: string;
}>;
}

export interface Identity {
/** The id. */
id: string;
/** The connection to the identity provider */
connection: {
/** The id. */
id: string;
/** A name for people. */
name: string;
};
/** The provider, as it writes itself in ID tokens */
issuer: string;
/** What the provider calls the person */
subject: string;
/** When it was created. */
createdAt: string;
/** When the key was last used, to the minute; null if never. */
lastUsedAt?: string;
}

export interface ImportedCustomer {
/** The name that the account signs in with. */
login: string;
/** The addresses. */
addresses?: {
/** The addresses. */
addresses: Array<AddressInput>;
/** The address for bills: one of the addresses. */
defaultBilling?: AddressInput;
/** The address for deliveries: one of the addresses. */
defaultShipping?: AddressInput;
};
/** The date of birth. */
birthDate?: string;
/** The payment cards. */
creditCards?: {
/** The cards. */
cards: Array<CardInput>;
/** The preferred one of the list. */
default?: CardInput;
};
/** The id of the preferred store. */
defaultLocationId?: string;
/** The e-mail addresses. */
emailAddresses?: {
/** The addresses. */
addresses: Array<EmailAddressInput>;
/** The preferred one of the list. */
default?: EmailAddressInput;
};
/** One letter. */
gender?: string;
/** A name for people. */
name?: NameInput;
/** The subscriptions. */
subscriptions?: {
/** Catalogues by post. */
addressCatalogs: Array<{
/** The address. */
address: AddressInput;
/** A name for people. */
label?: string;
}>;
/** Catalogues by e-mail. */
emailCatalogs: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
/** Newsletters by e-mail. */
emailNewsletters: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
};
/** Sites at which the caller may manage customers; else that of the request */
siteIds?: Array<string>;
/** When the account was created. */
registrationDate?: string;
/** As an export has it: ignored */
id?: string;
/** A bcrypt, scrypt, PBKDF2 or argon2 hash in modular-crypt or PHC format */
passwordHash?: string;
}

export interface IntrospectTokenRequest {
/** An API key, a session id, a management bearer or a customer's access token */
token: string;
/** Not needed, and ignored */
token_type_hint?: string;
/** Where the credential was presented from; keys with allowed addresses need it */
address?: string;
/** Where the credential is wanted; without it the scope is of the whole tenant */
site?: string;
}

export interface IntrospectTokenResponse {
/** Whether the credential works for what it was asked about. */
active: boolean;
/** Permissions, separated by spaces: those that hold in the whole tenant, and with site those that hold there alone, as order.manage@site */
scope?: string;
/** The login */
username?: string;
/** How the credential is presented */
token_type?: "ApiKey" | "Session" | "Bearer";
/** Seconds since 1970 */
exp?: number;
/** The id of the user or customer */
sub?: string;
/** The address of this installation */
iss?: string;
/** What kind it is. */
kind?: "apiKey" | "session" | "bearer" | "customer";
/** The id of a tenant. */
tenant?: string;
}

export interface KeyLimitsChange {
/** null removes it */
rateLimit?: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
} | null;
/** Replaces the list; null removes it */
allowedAddresses?: Array<string> | null;
}

export interface KeyOwner {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** What kind it is. */
kind: "person" | "service";
/** The state of the user. */
state: "active" | "invited" | "deactivated";
/** Whether the account is locked now. */
lock: boolean;
}

export interface KeySecret {
/** The API key itself. */
apiKey: string;
/** The id of the API key. */
apiKeyId: string;
/** When the API key expires. */
validTo: string;
}

export interface LastUse {
/** 90 days ago */
from: string;
/** Since when use is known: from, or later; null: no call was counted */
since: string | null;
/** false: some calls were counted without a caller */
isComplete: boolean;
/** The newest calls */
uses: Array<{
/** A permission. */
permission: string;
/** null: the whole tenant */
site: string | null;
/** To the day */
lastUsedAt: string;
/** Permissions that include it */
includedIn: Array<string>;
}>;
/** Permissions for other services */
uncounted: Array<string>;
/** Roles that the owner was granted since from */
grants: Array<{
/** The id of a role. */
role: string;
/** null: the whole tenant */
site: string | null;
/** When it happened. */
at: string;
}>;
}

export interface LatencySeries {
/** The beginning of each bucket. */
times: Array<string>;
/** One series of values for each group. */
series: Array<{
/** The value of each dimension that was grouped by. */
groups: Record<string, string>;
/** One value for each of the times. */
values: Array<number | null>;
}>;
}

export interface ListCustomerImportResultsItem {
/** Counted from 1, empty lines too */
line: number;
/** The customer that was created */
id?: string;
/** The error code of a line that failed */
code?: string;
/** JSON Pointer into the line */
pointer?: string;
/** A sentence for people. */
detail?: string;
}

export interface ListTopItem {
/** The value of each dimension that was grouped by. */
groups: Record<string, string>;
/** How many. */
count: number;
/** The part of all calls, from 0 to 1. */
share: number;
}

export interface Lock {
/** Why: for people where somebody gave it, for programs in an error. */
reason: string;
/** When the lock ends by itself; without it an administrator unlocks */
until?: string;
}

export interface LockCustomer {
/** Why: for people where somebody gave it, for programs in an error. */
reason: string;
/** When the lock ends by itself. Without it somebody has to unlock. */
until?: string;
}

export interface Logout {
/** The token that obtains the next pair. It changes with each use. */
refreshToken?: string;
}

export interface LogoutForm {
/** Signed by the provider for the client ID of the connection, issued within the last five minutes; each counts once */
logout_token: string;
}

export interface ManagedKey {
/** The id of the API key. */
apiKeyId: string;
/** A name for people. */
name: string;
/** The last characters of the key, to recognise it by. */
hint: string;
/** The status. */
status: "active" | "suspended" | "expired" | "revoked";
/** When it was created. */
createdAt: string;
/** When the API key expires. */
validTo: string;
/** When the key was last used, to the minute; null if never. */
lastUsedAt: string | null;
/** The address of the last use. */
lastUsedIp: string | null;
/** The operation of the last use. */
lastUsedOperation: string | null;
/** Until when the secret before the last rotation works */
previousValidTo: string | null;
/** Resuming requires a rotation: the secret was reported as leaked, or the key handed over */
rotationRequired: boolean;
/** Handed over and not rotated since: suspended until its new owner rotates it */
handedOver: boolean;
/** The permissions. For a restricted key: what it was restricted to; null if it was not. */
permissions: Array<string> | null;
/** The sites by id. */
sites: Array<string> | null;
/** How often an API key may be used; null if it has no limit of its own. */
rateLimit: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
} | null;
/** The ranges that an API key may be used from; null if it may be used from any. */
allowedAddresses: Array<string> | null;
owner: KeyOwner;
/** Calls of the last 7 days of UTC, today the last; where fields asks for it */
callsByDay?: Array<number>;
}

export interface ManagedKeyDetails {
/** The id of the API key. */
apiKeyId: string;
/** A name for people. */
name: string;
/** The last characters of the key, to recognise it by. */
hint: string;
/** The status. */
status: "active" | "suspended" | "expired" | "revoked";
/** When it was created. */
createdAt: string;
/** When the API key expires. */
validTo: string;
/** When the key was last used, to the minute; null if never. */
lastUsedAt: string | null;
/** The address of the last use. */
lastUsedIp: string | null;
/** The operation of the last use. */
lastUsedOperation: string | null;
/** Until when the secret before the last rotation works */
previousValidTo: string | null;
/** Resuming requires a rotation: the secret was reported as leaked, or the key handed over */
rotationRequired: boolean;
/** Handed over and not rotated since: suspended until its new owner rotates it */
handedOver: boolean;
/** The permissions. For a restricted key: what it was restricted to; null if it was not. */
permissions: Array<string> | null;
/** The sites by id. */
sites: Array<string> | null;
/** How often an API key may be used; null if it has no limit of its own. */
rateLimit: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
} | null;
/** The ranges that an API key may be used from; null if it may be used from any. */
allowedAddresses: Array<string> | null;
/** Who still uses the previous secret. */
previousUses: Array<PreviousUse>;
owner: KeyOwner;
}

export interface Marker {
/** The id. */
id: string;
/** When it happened */
at: string;
/** When it was over; null for what happened at once */
until: string | null;
/** A title for people. */
title: string;
/** What kind it is. */
kind: string;
/** Where more is told of it */
url: string | null;
/** trail: read from the audit trail, kind api-key or preview */
source: "reported" | "trail";
/** Who reported it; null for what is read from the trail */
author: {
/** The id of a user */
id: string;
/** null once the person is erased */
login: string | null;
} | null;
}

export interface MetricBatch {
/** Identifies the batch: the same one is counted once. */
batchId: string;
/** The counts of the batch. */
cells: Array<{
/** The instant that it is about. */
time: string;
/** The part of the platform that was called. */
domain: unknown & unknown;
/** The operation or path that was called. */
endpoint: string;
/** The HTTP method. */
method: string;
/** The status. */
status: number;
/** The id of a site. */
site?: string;
/** The id of the API key. */
apiKeyId?: string;
/** How many. */
count: number;
/** How long the calls took: a histogram. */
latency?: Array<{
/** Milliseconds. */
ms: number;
/** How many. */
count: number;
}>;
}>;
}

export interface MetricsMetadata {
/** The domains that have calls. */
domains: Array<string>;
/** The sites by id. */
sites: Array<string>;
/** The endpoints that have calls. */
endpoints: Array<string>;
/** The statuses that calls have. */
statuses: Array<string>;
/** The API keys that have calls. */
apiKeys: Array<{
/** The id. */
id: string;
/** Unique among the keys of an owner */
name: string;
/** The last characters of the key */
hint: string;
}>;
/** The value of each dimension that was grouped by. */
groups: Array<"domain" | "site" | "endpoint" | "method" | "status" | "statusClass" | "apiKey" | "user" | "credentialKind">;
/** The periods that can be asked for. */
periods: Array<{
/** The unit. */
unit: string;
/** How many of each. */
counts: Array<number>;
}>;
/** How long counts are kept. */
retention: Array<{
/** The resolution. */
grain: string;
/** The resolution in seconds. */
seconds: number;
/** Days that counts of one dimension are kept. */
days: number;
/** Days that counts of several dimensions are kept. */
combinationDays: number;
}>;
/** The limits of one question. */
limits: {
/** The most buckets. */
buckets: number;
/** One series of values for each group. */
series: number;
/** The counts of the batch. */
cells: number;
/** The most buckets where no period is asked for. */
autoBuckets: number;
/** The value of each dimension that was grouped by. */
groups: number;
/** The most cells of one batch. */
batchCells: number;
};
/** The tenant was given generated traffic, to look at */
isSynthetic: boolean;
/** When the first call was counted that is kept; null without any */
countedSince: string | null;
}

export interface MuteAlertRequest {
/** At most 30 days ahead; null ends it */
until: string | null;
}

export interface Name {
/** The first name. */
first?: string;
/** The last name. */
last?: string;
/** The middle initial. */
middleInitial?: string;
/** The salutation. */
salutation?: string;
/** What follows the name. */
suffix?: string;
}

export interface NameInput {
/** The first name. */
first?: string;
/** The last name. */
last?: string;
/** The middle initial. */
middleInitial?: string;
/** The salutation. */
salutation?: string;
/** What follows the name. */
suffix?: string;
}

export interface NewAccessRequest {
/** The id of a role. */
role: "tenant.admin" | "portal.users.mgmt" | "portal.configurations.mgmt" | "portal.analytics.mgmt" | "portal.data-feed.mgmt" | "portal.data-capture.mgmt" | "portal.qa.mgmt" | "portal.pim.mgmt" | "portal.catalog.mgmt" | "portal.ratings.mgmt" | "portal.customers.mgmt" | "portal.order.mgmt" | "portal.promotions.mgmt" | "portal.inventory.mgmt" | "portal.shipping-carrier.mgmt" | "portal.cart.mgmt" | "portal.wishlist.mgmt" | "portal.clotho.mgmt" | "portal.quotes.mgmt" | "portal.return-policy.mgmt" | "portal.locations.mgmt" | "portal.finance-offers.mgmt" | "portal.pricing-feed.mgmt" | "portal.default";
/** Where the role is wanted; absent: whole tenant */
site?: string;
/** Why: for people where somebody gave it, for programs in an error. */
reason?: string;
}

export interface NewAlert {
/** A name for people. */
name: string;
/** calls and silence: calls a minute. *-rate: 5xx or 4xx of all. latency-*: milliseconds */
measure: "calls" | "error-rate" | "client-error-rate" | "latency-p50" | "latency-p95" | "latency-p99" | "silence";
/** Which calls: all that match each field */
filter?: {
/** With authority at one site: that site */
site?: string;
/** The part of the platform that was called. */
domain?: string;
/** The operation or path that was called. */
endpoint?: string;
/** The id of an API key */
apiKey?: string;
};
/** Fires while both windows are above it; silence while both are at or below it. Rates: 0 to 1 */
threshold: number;
/** PT5M to PT6H. The short window is a twelfth of it */
window: string;
/** Calls that the window must have; silence: on the day before it */
minimumCount?: number;
/** Ids of people who are mailed when it fires and resolves */
mailTo?: Array<string>;
}

export interface NewApiKey {
/** A name for people. */
name: string;
/** When the API key expires. */
validTo: string;
/** Narrows the key to these, of what its owner may do */
permissions?: Array<"user.read" | "user.manage" | "role.read" | "session.manage" | "api-key.manage" | "audit.read" | "audit.manage" | "event.read" | "tenant.read" | "tenant.manage" | "webhook.manage" | "credential.verify" | "api-metric.read" | "api-metric.write" | "api-metric.export" | "preview.configuration.read" | "preview.configuration.write" | "customer.read" | "customer.manage" | "order.manage" | "promotion.manage" | "inventory.manage" | "rating.manage" | "data-capture.manage" | "shipping-carrier.manage" | "cart.manage" | "wishlist.manage" | "clotho.manage" | "quote.manage" | "return-policy.manage" | "location.manage" | "finance-offer.manage" | "pricing-feed.manage">;
/** Narrows the key to these sites: it then needs X-Service-Site */
sites?: Array<string>;
/** So many requests in each window */
rateLimit?: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
};
/** Ranges that requests may come from; more than one spelling of a range is stored once */
allowedAddresses?: Array<string>;
}

export interface NewAuditStream {
/** https needs url; syslog host; s3 url, region, bucket, accessKeyId and secretAccessKey; file folder */
kind: "https" | "syslog" | "s3" | "file";
/** https and s3, there without a path */
url?: string;
/** syslog */
host?: string;
/** syslog: 6514 without it */
port?: number;
/** s3 */
region?: string;
/** s3 */
bucket?: string;
/** s3: what the names of objects begin with */
prefix?: string;
/** s3 */
accessKeyId?: string;
/** s3: for how long entries are gathered; PT1M without it, at most PT15M */
every?: string;
/** s3: stored encrypted, never shown */
secretAccessKey?: string;
/** file */
folder?: string;
/** https: stored encrypted, never shown */
authorization?: string;
/** PEM of authorities of your own */
ca?: string;
/** A text for people */
description?: string;
/** now: the entry of the creation is the first. beginning: the oldest kept entry */
from?: "now" | "beginning";
}

export interface NewConnection {
/** What the button of the sign-in page shows */
name: string;
/** As the provider writes it in its ID tokens: https, and no private, local or reserved address */
issuer: string;
/** What the provider calls this service */
clientId: string;
/** Stored encrypted, never shown. Needed again when the issuer changes */
clientSecret: string;
/** What is asked for at the provider; openid is always among them */
scopes?: Array<string>;
/** Which claims describe somebody new */
claims?: {
/** The claim with the login of somebody new */
login?: string;
/** The claim with the e-mail address of somebody new */
email?: string;
/** The claim with the name of somebody new */
name?: string;
/** The value of each dimension that was grouped by. */
groups?: string | null;
};
/** Somebody new needs an e-mail address of one of these domains; empty: any */
domains?: Array<string>;
/** linked-only: only who linked the provider to an account signs in. on-first-sign-in: others become new users with the role portal.default; an existing user is never taken over by an e-mail address */
provisioning?: "linked-only" | "on-first-sign-in";
/** Whether the sign-in page offers it */
isEnabled?: boolean;
/** Which claim of the ID token is the externalId of provisioned people: at their first sign-in they are linked by it. none: they link the provider themselves */
externalIdClaim?: "none" | "sub" | "oid";
groupRoles?: NewGroupRoles;
}

export interface NewCustomer {
/** The name that the account signs in with. */
login: string;
/** The addresses. */
addresses?: {
/** The addresses. */
addresses: Array<AddressInput>;
/** The address for bills: one of the addresses. */
defaultBilling?: AddressInput;
/** The address for deliveries: one of the addresses. */
defaultShipping?: AddressInput;
};
/** The date of birth. */
birthDate?: string;
/** The payment cards. */
creditCards?: {
/** The cards. */
cards: Array<CardInput>;
/** The preferred one of the list. */
default?: CardInput;
};
/** The id of the preferred store. */
defaultLocationId?: string;
/** The e-mail addresses. */
emailAddresses?: {
/** The addresses. */
addresses: Array<EmailAddressInput>;
/** The preferred one of the list. */
default?: EmailAddressInput;
};
/** One letter. */
gender?: string;
/** A name for people. */
name?: NameInput;
/** The subscriptions. */
subscriptions?: {
/** Catalogues by post. */
addressCatalogs: Array<{
/** The address. */
address: AddressInput;
/** A name for people. */
label?: string;
}>;
/** Catalogues by e-mail. */
emailCatalogs: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
/** Newsletters by e-mail. */
emailNewsletters: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
};
}

/** Which roles the members of groups have; each group once */
export type NewGroupRoles = Array<{
/** The name of the group, exactly as the provider writes it in a claim or by provisioning */
group: string;
/** What its members have, in addition to roles that were granted by hand */
roles: NewRoles;
/** Whether it may give tenant.admin and portal.users.mgmt. The provider decides then who has them */
grantsAdministration?: boolean;
}>;

export interface NewHandOff {
/** The secret, encrypted by AES-256-GCM: vector of 12 bytes, ciphertext, tag */
sealed: string;
/** SHA-256 of the key's current secret: only who has the secret can hand it off, and nobody can use the hash */
secretHash: string;
/** How long the link opens: from PT1M to P7D; P1D without it */
validFor?: string;
}

export interface NewInvitation {
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** The e-mail address. */
emailAddress: string;
/** The roles. */
roles: NewRoles;
}

export interface NewMarker {
/** When it happened: 400 days ago at most, 7 days ahead at most */
at: string;
/** When it was over: at most 31 days later */
until?: string;
/** A title for people. */
title: string;
/** What happened, such as deploy */
kind: string;
/** Where more is told of it */
url?: string;
}

export interface NewPasskey {
/** How the authenticator names the passkey */
id: string;
/** The same */
rawId?: string;
/** What kind it is. */
type: "public-key";
/** Not read */
authenticatorAttachment?: string | null;
/** Not read */
clientExtensionResults?: unknown;
/** What the authenticator made */
response: {
/** What the browser was asked, and on which page */
clientDataJSON: string;
/** The public key, from the authenticator */
attestationObject: string;
/** How the browser reaches the authenticator */
transports?: Array<string>;
/** Not read */
authenticatorData?: string;
/** Not read */
publicKey?: string | null;
/** Not read */
publicKeyAlgorithm?: number;
};
}

export interface NewPasskeyOptions {
/** Where the passkey works */
rp: {
/** The host of PUBLIC_URL */
id: string;
/** A name for people. */
name: string;
};
/** The user. */
user: {
/** Random: it names nobody */
id: string;
/** A name for people. */
name: string;
/** The name of the user */
displayName: string;
};
/** Valid for 5 minutes, one use and this session */
challenge: string;
/** The kinds of keys, in the order of preference */
pubKeyCredParams: Array<{
/** What kind it is. */
type: "public-key";
/** A COSE algorithm */
alg: number;
}>;
/** Milliseconds */
timeout: number;
/** The passkeys that one has */
excludeCredentials: Array<{
/** The id. */
id: string;
/** What kind it is. */
type: "public-key";
/** How the browser reaches it */
transports: Array<string>;
}>;
/** What the authenticator must be able to do */
authenticatorSelection: {
/** The passkey knows its user */
residentKey: "required";
/** The same, for older browsers */
requireResidentKey: true;
/** The authenticator has to verify the person: PIN, fingerprint or face */
userVerification: "required";
};
/** The make of the device is not asked */
attestation: "none";
}

export interface NewPreview {
/** The key of the preview configuration. */
key: string;
/** The configuration. */
configuration: PreviewConfiguration;
}

export interface NewPreviewComment {
/** A JSON Pointer to the field. */
pointer?: string | null;
/** Plain text */
text: string;
}

export interface NewPreviewShare {
/** At most P90D ahead */
validTo: string;
/** A text for people, such as for whom */
comment?: string;
}

export interface NewQuota {
/** How many there may be. */
limit: number | null;
}

export interface NewRelease {
/** A text for people */
name: string;
/** Each configuration once. The newest revisions are released, and no later ones */
entries: Array<{
/** Of a preview configuration of the site */
key: string;
/** The stage that it gets */
stage?: "draft" | "staged" | "live";
/** The revision that you saw: 409 where it is not the newest */
version?: number;
}>;
/** When it is due, at most P366D ahead */
at?: string;
}

export interface NewRoles {
/** The ids of the roles. */
roleIds: Array<"tenant.admin" | "portal.users.mgmt" | "portal.configurations.mgmt" | "portal.analytics.mgmt" | "portal.data-feed.mgmt" | "portal.data-capture.mgmt" | "portal.qa.mgmt" | "portal.pim.mgmt" | "portal.catalog.mgmt" | "portal.ratings.mgmt" | "portal.customers.mgmt" | "portal.order.mgmt" | "portal.promotions.mgmt" | "portal.inventory.mgmt" | "portal.shipping-carrier.mgmt" | "portal.cart.mgmt" | "portal.wishlist.mgmt" | "portal.clotho.mgmt" | "portal.quotes.mgmt" | "portal.return-policy.mgmt" | "portal.locations.mgmt" | "portal.finance-offers.mgmt" | "portal.pricing-feed.mgmt" | "portal.default">;
/** The sites by id. */
sites?: Record<string, {
/** The ids of the roles. */
roleIds: Array<"tenant.admin" | "portal.users.mgmt" | "portal.configurations.mgmt" | "portal.analytics.mgmt" | "portal.data-feed.mgmt" | "portal.data-capture.mgmt" | "portal.qa.mgmt" | "portal.pim.mgmt" | "portal.catalog.mgmt" | "portal.ratings.mgmt" | "portal.customers.mgmt" | "portal.order.mgmt" | "portal.promotions.mgmt" | "portal.inventory.mgmt" | "portal.shipping-carrier.mgmt" | "portal.cart.mgmt" | "portal.wishlist.mgmt" | "portal.clotho.mgmt" | "portal.quotes.mgmt" | "portal.return-policy.mgmt" | "portal.locations.mgmt" | "portal.finance-offers.mgmt" | "portal.pricing-feed.mgmt" | "portal.default">;
}>;
}

export interface NewSandbox {
/** The id of a tenant. */
tenant: string;
/** The id of a site. */
site: string;
/** A name for people. */
name: string;
}

export interface NewSavedView {
/** The page of the portal */
page: "users" | "customers" | "requests" | "audit" | "keys" | "alerts" | "deliveries" | "metrics";
/** A name for people. */
name: string;
/** The query of the page's address */
query: string;
/** Whether everybody who may open the page has it */
shared?: boolean;
/** Whether the page opens with it for the caller */
default?: boolean;
/** Whether the home page of everybody who has it shows it as a chart; only of page metrics */
home?: boolean;
}

export interface NewSecurityPolicy {
/** A session ends after this without use: PT1M to PT12H */
sessionIdle?: string;
/** A session ends after this at the latest: PT5M to P7D */
sessionAbsolute?: string;
/** How long an API key may be valid at most: P1D to P366D */
apiKeyMaximumAge?: string;
/** The token of a shopper who has not signed in ends after this: PT1M to P1D */
anonymousToken?: string;
/** A customer's access token ends after this: PT1M to PT1H */
accessToken?: string;
/** A customer's refresh token ends after this without use: PT1H to P180D */
refreshIdle?: string;
/** A customer's sign-in ends after this at the latest: PT1H to P366D */
refreshAbsolute?: string;
/** So long a refresh token may be repeated after its rotation: PT0S to PT1M */
refreshGrace?: string;
/** Whether shoppers may register themselves at the tenant's sites: true */
customerRegistration?: boolean;
/** Whether API keys may create password tokens of customers: false */
passwordTokensByApiKey?: boolean;
/** How old the last proof of identity may be for sensitive operations: PT5M to PT24H, "off" requires none, "auto" (without it) requires PT15M once somebody of the tenant has a second factor */
stepUp?: "auto" | "off" | string;
/** Who has to have a second factor after a password; who has none sets one up at the next sign-in: off */
secondFactor?: "off" | "administrators" | "everybody";
/** From the beginning of this day on, in UTC; without it at once */
secondFactorFrom?: string;
/** By what people sign in */
signIn?: {
/** Who signs in with a password: everybody, or only emergency administrators, while the others sign in at an identity provider: everybody */
password?: "everybody" | "emergency-only";
/** Whether people sign in with only a passkey: on */
passkeys?: "on" | "off";
};
}

export interface NewServiceUser {
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** The roles. */
roles: NewRoles;
}

export interface NewSite {
/** The id. */
id: string;
/** A name for people. */
name: string;
/** Origins of pages that may call the shopper operations of the site. */
allowedOrigins?: Array<string>;
/** Language tags (BCP 47) of the site. */
locales?: Array<string>;
/** An ISO 4217 code such as EUR. */
currency?: string | null;
}

export interface NewTenant {
/** The id. */
id: string;
/** A name for people. */
name: string;
/** What kind it is. */
kind?: "production" | "sandbox";
/** The tenant's first administrator. */
admin: {
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** The e-mail address. */
emailAddress: string;
};
}

export interface NewWebhook {
/** https, and no private, local or reserved address. Redirects are not followed */
url: string;
/** Types of events, such as user.locked, user.* or * */
types: Array<EventTypePattern>;
/** The id of a site. */
site?: string | null;
/** A text for people */
description?: string;
}

export interface Notice {
/** The id. */
id: string;
/** When it happened. */
occurredAt: string;
/** What kind it is. */
kind: "password-changed" | "password-reset" | "password-link-created" | "profile-changed" | "roles-changed" | "locked" | "unlocked" | "deactivated" | "reactivated" | "sessions-ended" | "api-key-created" | "api-key-changed" | "api-key-suspended" | "api-key-leaked" | "api-key-link-created" | "api-key-link-opened" | "second-factor-added" | "second-factor-removed" | "second-factors-reset" | "recovery-codes-created" | "recovery-code-used" | "passkey-count-fell" | "identity-linked" | "emergency-sign-in" | "new-network";
/** The action of the audit entry */
action: string;
/** Whether one's own credential did it */
byOneself: boolean;
/** Who did it. */
by: {
/** What kind it is. */
type: string;
/** The id. */
id: string;
/** The name that the account signs in with. */
login?: string;
};
/** The name of the API key */
subject?: string;
/** The names of what changed */
fields: Array<string>;
/** Only of what one did oneself */
address?: string;
}

export interface OpenHandOffRequest {
/** From the link */
token: string;
}

export interface OpenHandOffResponse {
/** The secret, encrypted by AES-256-GCM: vector of 12 bytes, ciphertext, tag */
sealed: string;
/** The id of the key */
apiKeyId: string;
/** The name of the key */
name: string;
/** When the key expires */
validTo: string;
}

export interface OwnComment {
/** The id. */
id: string;
/** A JSON Pointer (RFC 6901) to what it is about; null: the whole */
pointer: string | null;
/** Plain text */
text: string;
/** The newest revision when it was written */
version: number;
/** Whether it needs nobody any more */
resolved: boolean;
/** When it was created. */
createdAt: string;
/** When it last changed. */
updatedAt: string;
/** The id of a site. */
site: string;
/** Of the preview configuration */
key: string;
}

export interface OwnMarker {
/** The id. */
id: string;
/** When it happened */
at: string;
/** When it was over; null for what happened at once */
until: string | null;
/** A title for people. */
title: string;
/** What kind it is. */
kind: string;
/** Where more is told of it */
url: string | null;
}

export interface OwnTenant {
/** The id. */
id: string;
/** A name for people. */
name: string;
/** What kind it is. */
kind: "platform" | "production" | "sandbox" | "demo";
/** Whether the person's own row is there */
home: boolean;
}

export interface PasskeyLogin {
/** The id of a tenant. */
tenant: string;
passkey: PasskeyProof;
/** The id of a site. */
site?: string;
}

export interface PasskeyLoginOptionsRequest {
/** The id of a tenant. */
tenant: string;
}

export interface PasskeyLoginResponse {
/** The session id, for X-Service-Session-Id. */
sessionId: string;
}

/** What navigator.credentials.get() returned for the options of POST /v1/user/passkey-login/options, as JSON */
export interface PasskeyProof {
/** How the authenticator names the passkey */
id: string;
/** The same */
rawId?: string;
/** What kind it is. */
type: "public-key";
/** Not read */
authenticatorAttachment?: string | null;
/** Not read */
clientExtensionResults?: unknown;
/** What the authenticator signed */
response: {
/** What the browser was asked, and on which page */
clientDataJSON: string;
/** The host, and whether the person was verified */
authenticatorData: string;
/** Of both */
signature: string;
/** What the authenticator keeps for the person */
userHandle?: string | null;
};
}

export interface PasskeyProofOptions {
/** Valid for 5 minutes and one use */
challenge: string;
/** The host of PUBLIC_URL */
rpId: string;
/** Empty: the person picks a passkey */
allowCredentials: Array<{
/** The id. */
id: string;
/** What kind it is. */
type: "public-key";
/** How the browser reaches it */
transports: Array<string>;
}>;
/** Milliseconds */
timeout: number;
/** The authenticator has to verify the person: PIN, fingerprint or face */
userVerification: "required";
}

export interface PasswordLink {
/** The id. */
id: string;
/** The link for the person to open. */
url: string;
/** A secret token. */
token: string;
/** When it expires. */
expiresAt: string;
}

export interface Preferences {
/** A name of the IANA time zone database, such as Europe/Berlin. */
timeZone?: string;
/** The language of the portal. The API and its errors are English. */
language?: "en" | "de";
/** A language tag (BCP 47), such as en-GB. */
locale?: string;
/** The colours of the portal. */
theme?: "light" | "dark" | "system";
/** How close the portal sets lines. */
density?: "comfortable" | "compact";
}

export interface PreferencesInput {
/** A name of the IANA time zone database, such as Europe/Berlin. */
timeZone?: string;
/** The language of the portal. The API and its errors are English. */
language?: "en" | "de";
/** A language tag (BCP 47), such as en-GB. */
locale?: string;
/** The colours of the portal. */
theme?: "light" | "dark" | "system";
/** How close the portal sets lines. */
density?: "comfortable" | "compact";
}

export interface Preview {
/** The key of the preview configuration. */
key: string;
/** A title for people. */
title?: string;
/** Whether the preview is enabled. */
enabled?: boolean;
/** The stage of the preview. */
stage?: "draft" | "staged" | "live";
/** Counts the changes. */
version: number;
/** The ETag of the configuration, with its quotes */
etag: string;
/** When it last changed. */
updatedAt: string;
/** Who changed it last. */
updatedBy: {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
};
/** What is wrong, by field. */
problems: Array<{
/** A JSON Pointer to the field. */
pointer: string;
/** A sentence for people. */
detail: string;
}>;
/** When it was archived; null if it is not. */
archivedAt: string | null;
/** Only in the list of deleted ones */
deletedAt?: string;
}

export interface PreviewComment {
/** The id. */
id: string;
/** A JSON Pointer (RFC 6901) to what it is about; null: the whole */
pointer: string | null;
/** Plain text */
text: string;
/** The newest revision when it was written */
version: number;
/** Whether it needs nobody any more */
resolved: boolean;
/** Who wrote it: a user, or whoever has a share */
author: {
/** What kind it is. */
type: "user" | "share";
/** Empty where a visitor with a share is shown a user */
id: string;
/** Of a user, for users alone */
login?: string;
/** Of a user, in lists */
name?: string;
};
/** When it was created. */
createdAt: string;
/** When it last changed. */
updatedAt: string;
}

export interface PreviewCommentChange {
/** A JSON Pointer to the field. */
pointer?: string | null;
/** Plain text */
text?: string;
/** Whether it needs nobody any more */
resolved?: boolean;
}

/** Any JSON object. Of its members, title, enabled, stage, urlTemplate, locales, effectiveAt and viewports are known here. */
export type PreviewConfiguration = Record<string, unknown>;

export interface PreviewGroupRolesRequest {
groupRoles: NewGroupRoles;
}

export interface PreviewRevision {
/** The number of the revision. */
n: number;
/** When it happened. */
at: string;
/** Who did it. */
by: {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
};
/** How the revision was made. */
via: "portal" | "session" | "apiKey" | "bearer" | "release";
/** SHA-256 of the bytes in base64url: the ETag without its quotes */
hash: string;
}

export interface PreviewShare {
/** The id. */
id: string;
/** void: whoever made it could not make it any more */
status: "active" | "expired" | "void";
/** When the API key expires. */
validTo: string;
/** A text for people */
comment: string;
/** When it was created. */
createdAt: string;
/** The id of a user */
createdBy: string;
}

export interface PreviousUse {
/** The address. */
address: string;
/** The User-Agent of the request. */
agent: string;
/** When it was last used, to the minute. */
lastSeenAt: string;
}

export interface ProfilePatch {
/** The addresses. */
addresses?: {
/** The addresses. */
addresses?: Array<AddressInput> | null;
/** The address for bills: one of the addresses. */
defaultBilling?: {
/** The name of the business. */
businessName?: string | null;
/** The city. */
city?: string | null;
/** The country. */
country?: string | null;
/** The county. */
county?: string | null;
/** A name for people. */
label?: string | null;
/** A name for people. */
name?: {
/** The first name. */
first?: string | null;
/** The last name. */
last?: string | null;
/** The middle initial. */
middleInitial?: string | null;
/** The salutation. */
salutation?: string | null;
/** What follows the name. */
suffix?: string | null;
} | null;
/** The phone number. */
phoneNumber?: string | null;
/** Whether it is a post-office box. */
poBox?: boolean | null;
/** The postal code. */
postalCode?: string | null;
/** The state or region. */
stateOrRegion?: string | null;
/** The first line of the street. */
street1?: string | null;
/** The second line of the street. */
street2?: string | null;
} | null;
/** The address for deliveries: one of the addresses. */
defaultShipping?: {
/** The name of the business. */
businessName?: string | null;
/** The city. */
city?: string | null;
/** The country. */
country?: string | null;
/** The county. */
county?: string | null;
/** A name for people. */
label?: string | null;
/** A name for people. */
name?: {
/** The first name. */
first?: string | null;
/** The last name. */
last?: string | null;
/** The middle initial. */
middleInitial?: string | null;
/** The salutation. */
salutation?: string | null;
/** What follows the name. */
suffix?: string | null;
} | null;
/** The phone number. */
phoneNumber?: string | null;
/** Whether it is a post-office box. */
poBox?: boolean | null;
/** The postal code. */
postalCode?: string | null;
/** The state or region. */
stateOrRegion?: string | null;
/** The first line of the street. */
street1?: string | null;
/** The second line of the street. */
street2?: string | null;
} | null;
} | null;
/** The date of birth. */
birthDate?: string | null;
/** The payment cards. */
creditCards?: {
/** The cards. */
cards?: Array<CardInput> | null;
/** The preferred one of the list. */
default?: {
/** At most the last four digits. */
cardNumber?: string | null;
/** The brand of the card. */
cardType?: string | null;
/** The month in which the card expires. */
expirationMonth?: string | null;
/** The year in which the card expires. */
expirationYear?: string | null;
/** A name for people. */
label?: string | null;
/** A secret token. */
token?: string | null;
} | null;
} | null;
/** The id of the preferred store. */
defaultLocationId?: string | null;
/** The e-mail addresses. */
emailAddresses?: {
/** The addresses. */
addresses?: Array<EmailAddressInput> | null;
/** The preferred one of the list. */
default?: {
/** The address. */
address?: string | null;
/** A name for people. */
label?: string | null;
} | null;
} | null;
/** One letter. */
gender?: string | null;
/** A name for people. */
name?: {
/** The first name. */
first?: string | null;
/** The last name. */
last?: string | null;
/** The middle initial. */
middleInitial?: string | null;
/** The salutation. */
salutation?: string | null;
/** What follows the name. */
suffix?: string | null;
} | null;
/** The subscriptions. */
subscriptions?: {
/** Catalogues by post. */
addressCatalogs?: Array<{
/** The address. */
address: AddressInput;
/** A name for people. */
label?: string;
}> | null;
/** Catalogues by e-mail. */
emailCatalogs?: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}> | null;
/** Newsletters by e-mail. */
emailNewsletters?: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}> | null;
} | null;
}

export interface Provisioned {
/** The connection that provisions the person */
connection: string;
/** What the provider calls the person */
externalId: string | null;
/** The given name, as the provider has it */
givenName: string | null;
/** The family name, as the provider has it */
familyName: string | null;
/** When the provider changed it last */
changedAt: string;
}

export interface ProvisioningRequest {
/** The id. */
id: string;
/** When it happened. */
occurredAt: string;
/** The HTTP method. */
method: string;
/** Below the connection's address, without the query */
path: string;
/** The status. */
status: number;
/** The kind of an error, as RFC 7644 has it */
scimType?: string;
/** What was wrong */
detail?: string;
/** Milliseconds until the response. */
durationMs: number;
/** The id of the request. */
requestId: string;
}

export interface ProvisioningToken {
/** The bearer token to enter at the identity provider. It is shown only now */
token: string;
/** Until when the token before is valid; absent where there was none */
previousValidTo?: string;
}

export interface Question {
/** The id of a user. */
userId?: string;
/** The id of the API key. */
apiKeyId?: string;
/** An operation, such as GET /v1/user/list. */
operation?: string;
/** Instead of an operation: any permission, those of other services among them */
permission?: "user.read" | "user.manage" | "role.read" | "session.manage" | "api-key.manage" | "audit.read" | "audit.manage" | "event.read" | "tenant.read" | "tenant.manage" | "webhook.manage" | "credential.verify" | "api-metric.read" | "api-metric.write" | "api-metric.export" | "preview.configuration.read" | "preview.configuration.write" | "customer.read" | "customer.manage" | "order.manage" | "promotion.manage" | "inventory.manage" | "rating.manage" | "data-capture.manage" | "shipping-carrier.manage" | "cart.manage" | "wishlist.manage" | "clotho.manage" | "quote.manage" | "return-policy.manage" | "location.manage" | "finance-offer.manage" | "pricing-feed.manage";
/** The id of a site. */
site?: string;
}

export interface Quota {
/** The name of the quota. */
quota: "preview-bytes" | "preview-configurations" | "releases" | "user-keys" | "users" | "sites" | "customers" | "metric-cells" | "webhooks" | "audit-streams" | "alerts" | "links";
/** How many there may be. */
limit: number;
/** Support has set no other limit */
isDefault: boolean;
/** Of user-keys: by the user with the most */
used: number;
/** The unit. */
unit: "bytes" | "count";
}

export interface RecordCallsResponse {
/** Identifies the batch: the same one is counted once. */
batchId: string;
/** The counts of the batch. */
cells: number;
/** How many calls were counted. */
calls: number;
}

/** One of the recovery codes; case, spaces and hyphens do not count */
export type RecoveryCode = string;

/** Shown only here; each works once */
export type RecoveryCodes = Array<string>;

export interface RefreshTokensRequest {
/** The token that obtains the next pair. It changes with each use. */
refreshToken: string;
}

export interface RefusedRequest {
/** The id. */
id: string;
/** The caller's X-Service-Request-Id, or the one it was given */
requestId: string;
/** When it happened. */
occurredAt: string;
/** The HTTP method. */
method: string;
/** The path of the request. */
path: string;
/** An operation, such as GET /v1/user/list. */
operation?: string;
/** The status. */
status: number;
/** Empty where the request succeeded */
code: string;
/** What the code means, as its page in the reference says */
title: string;
/** Why: for people where somebody gave it, for programs in an error. */
reason?: string;
/** The id of a site. */
site?: string;
/** Absent where no credential was found right */
caller?: {
/** What kind it is. */
kind: "session" | "apiKey" | "bearer" | "anonymous" | "customer";
/** The id of a user. */
userId?: string;
/** The id of the session or API key. */
credentialId?: string;
/** Of the user, as it is today */
login?: string;
/** Of the API key, as it is today */
keyName?: string;
};
/** The address. */
address: string;
/** The User-Agent of the request. */
agent: string;
/** Milliseconds until the response. */
durationMs: number;
}

export interface RefusedRequestDetails {
/** The id. */
id: string;
/** The caller's X-Service-Request-Id, or the one it was given */
requestId: string;
/** When it happened. */
occurredAt: string;
/** The HTTP method. */
method: string;
/** The path of the request. */
path: string;
/** An operation, such as GET /v1/user/list. */
operation?: string;
/** The status. */
status: number;
/** Empty where the request succeeded */
code: string;
/** What the code means, as its page in the reference says */
title: string;
/** Why: for people where somebody gave it, for programs in an error. */
reason?: string;
/** The id of a site. */
site?: string;
/** Absent where no credential was found right */
caller?: {
/** What kind it is. */
kind: "session" | "apiKey" | "bearer" | "anonymous" | "customer";
/** The id of a user. */
userId?: string;
/** The id of the session or API key. */
credentialId?: string;
/** Of the user, as it is today */
login?: string;
/** Of the API key, as it is today */
keyName?: string;
};
/** The address. */
address: string;
/** The User-Agent of the request. */
agent: string;
/** Milliseconds until the response. */
durationMs: number;
/** What can be done about it. */
remedy: string;
/** The checks of a request, in their order. */
steps: Array<Step>;
/** What the same caller would be answered today, where the caller is known */
now?: Explanation;
}

export interface Registration {
/** The name that the account signs in with. */
login: string;
/** At least 8 characters: not common, not a sequence, without the login or a name. */
password: string;
/** The e-mail address. */
emailAddress?: string;
/** A name for people. */
name?: NameInput;
/** The date of birth. */
birthDate?: string;
}

export interface Release {
/** The id. */
id: string;
/** A text for people */
name: string;
/** failed: it was due and nothing of it was published; problems says why */
state: "open" | "scheduled" | "published" | "failed" | "cancelled";
/** What it changes */
entries: Array<{
/** Of a preview configuration */
key: string;
/** The stage that it gets */
stage: "draft" | "staged" | "live";
/** The revision that the release was made for */
version: number;
/** The revision with the stage; null until it is published */
publishedVersion: number | null;
}>;
/** When it is or was due; null: not scheduled */
at: string | null;
/** What is wrong, by field. */
problems: Array<{
/** null: about the release as a whole */
key: string | null;
/** A code of errors */
code: string;
/** A sentence for people. */
detail: string;
}>;
/** When it was created. */
createdAt: string;
/** The id of a user */
createdBy: string;
/** The id of the user on whose behalf it is published when it is due */
scheduledBy: string | null;
/** When it was published or cancelled */
endedAt: string | null;
}

export interface ReleaseChange {
/** A text for people */
name?: string;
/** Each configuration once. The newest revisions are released, and no later ones */
entries?: Array<{
/** Of a preview configuration of the site */
key: string;
/** The stage that it gets */
stage?: "draft" | "staged" | "live";
/** The revision that you saw: 409 where it is not the newest */
version?: number;
}>;
}

export interface ReleasePublication {
/** When it is due, at most P366D ahead */
at?: string;
}

export interface ReplayEventsRequest {
/** The first instant. */
from: string;
/** Exclusive */
to: string;
/** Types of events; without them those of the webhook */
types?: Array<EventTypePattern>;
}

export interface ReplayEventsResponse {
/** How many are sent */
events: number;
/** Where the next replay begins if the range has more than 1,000 events; else null */
continueFrom: string | null;
}

export interface ReportLeakRequest {
/** The API key itself. */
apiKey: string;
}

export interface ReportUsageResponse {
/** Identifies the batch: the same one is counted once. */
batchId: string;
/** How many of the credentials are known */
credentials: number;
/** How many uses of API keys the metrics have counted */
uses: number;
}

export type RequestEmailConfirmationResponse = Record<string, unknown>;

export interface RequestPasswordResetRequest {
/** The name that the account signs in with. */
login: string;
}

export type RequestPasswordResetResponse = Record<string, unknown>;

export interface ResetSecondFactorsRequest {
/** Why: for people where somebody gave it, for programs in an error. */
reason: string;
}

export interface RevealCustomer {
/** The names of fields. */
fields: Array<"login" | "name" | "emailAddresses" | "birthDate" | "gender" | "addresses" | "creditCards" | "defaultLocationId" | "subscriptions">;
/** Why: for people where somebody gave it, for programs in an error. */
reason: string;
}

export interface RevealedCustomer {
/** The name that the account signs in with. */
login?: string;
/** A name for people. */
name?: Name;
/** The e-mail addresses. */
emailAddresses?: {
/** The addresses. */
addresses: Array<EmailAddress>;
/** The preferred one of the list. */
default?: EmailAddress;
};
/** The date of birth. */
birthDate?: string;
/** One letter. */
gender?: string;
/** The addresses. */
addresses?: {
/** The addresses. */
addresses: Array<Address>;
/** The address for bills: one of the addresses. */
defaultBilling?: Address;
/** The address for deliveries: one of the addresses. */
defaultShipping?: Address;
};
/** The payment cards. */
creditCards?: {
/** The cards. */
cards: Array<Card>;
/** The preferred one of the list. */
default?: Card;
};
/** The id of the preferred store. */
defaultLocationId?: string;
/** The subscriptions. */
subscriptions?: {
/** Catalogues by post. */
addressCatalogs: Array<{
/** The address. */
address: Address;
/** A name for people. */
label?: string;
}>;
/** Catalogues by e-mail. */
emailCatalogs: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
/** Newsletters by e-mail. */
emailNewsletters: Array<{
/** The e-mail address. */
email: string;
/** A name for people. */
label?: string;
}>;
};
}

export interface Revocation {
/** The id. */
id: string;
/** What ended or changed */
subjectKind: "apiKey" | "session" | "user" | "customer" | "family" | "tenant";
/** The id of what ended or changed */
subjectId: string;
/** Drop every answer about the subject; what ended never works again. A change of the tenant concerns all answers */
effect: "ended" | "changed";
/** When it happened. */
at: string;
}

export interface Role {
/** The id. */
id: "tenant.admin" | "portal.users.mgmt" | "portal.configurations.mgmt" | "portal.analytics.mgmt" | "portal.data-feed.mgmt" | "portal.data-capture.mgmt" | "portal.qa.mgmt" | "portal.pim.mgmt" | "portal.catalog.mgmt" | "portal.ratings.mgmt" | "portal.customers.mgmt" | "portal.order.mgmt" | "portal.promotions.mgmt" | "portal.inventory.mgmt" | "portal.shipping-carrier.mgmt" | "portal.cart.mgmt" | "portal.wishlist.mgmt" | "portal.clotho.mgmt" | "portal.quotes.mgmt" | "portal.return-policy.mgmt" | "portal.locations.mgmt" | "portal.finance-offers.mgmt" | "portal.pricing-feed.mgmt" | "portal.default";
/** A name for people. */
name: string;
/** The group that it belongs to. */
group: string;
/** What the role is for, in a line */
meaning: string;
/** The permissions. For a restricted key: what it was restricted to; null if it was not. */
permissions: Array<"user.read" | "user.manage" | "role.read" | "session.manage" | "api-key.manage" | "audit.read" | "audit.manage" | "event.read" | "tenant.read" | "tenant.manage" | "webhook.manage" | "credential.verify" | "api-metric.read" | "api-metric.write" | "api-metric.export" | "preview.configuration.read" | "preview.configuration.write" | "customer.read" | "customer.manage" | "order.manage" | "promotion.manage" | "inventory.manage" | "rating.manage" | "data-capture.manage" | "shipping-carrier.manage" | "cart.manage" | "wishlist.manage" | "clotho.manage" | "quote.manage" | "return-policy.manage" | "location.manage" | "finance-offer.manage" | "pricing-feed.manage">;
/** Whether the role's own permissions belong to other services of the platform. */
reserved: boolean;
}

export interface RotateAuditStreamSecretRequest {
/** P1D without it, at most P7D */
overlap?: string;
/** Rotates although the secret before the last rotation is still valid, which ends it at once */
force?: boolean;
}

export interface RotateAuditStreamSecretResponse {
/** https: what batches are signed with, shown when it is made and never again */
secret: string;
/** When the previous secret expires. */
previousValidTo: string;
}

export interface RotateWebhookSecretRequest {
/** P1D without it, at most P7D */
overlap?: string;
/** Rotates although the secret before the last rotation is still valid, which ends it at once */
force?: boolean;
}

export interface RotateWebhookSecretResponse {
/** What deliveries are signed with (Standard Webhooks), shown only here */
secret: string;
/** When the previous secret expires. */
previousValidTo: string;
}

export interface RotatedKey {
/** The API key itself. */
apiKey: string;
/** The id of the API key. */
apiKeyId: string;
/** When the API key expires. */
validTo: string;
/** When the previous secret expires. */
previousValidTo: string;
}

export interface Rotation {
/** How long the secret so far goes on working: P1D without it, at most P30D */
overlap?: string;
/** When the API key expires. */
validTo?: string;
}

export interface SavedView {
/** The id. */
id: string;
/** The page of the portal */
page: "users" | "customers" | "requests" | "audit" | "keys" | "alerts" | "deliveries" | "metrics";
/** A name for people. */
name: string;
/** The query of the page's address */
query: string;
/** Whether everybody who may open the page has it */
shared: boolean;
/** Whether the page opens with it for the caller */
default: boolean;
/** Whether the home page of everybody who has it shows it as a chart; only of page metrics */
home: boolean;
/** Who made it */
userId: string;
/** When it was created. */
createdAt: string;
/** When it last changed. */
updatedAt: string;
}

export interface SavedViewChange {
/** A name for people. */
name?: string;
/** The query of the page's address */
query?: string;
/** Whether everybody who may open the page has it */
shared?: boolean;
/** Whether the page opens with it for the caller */
default?: boolean;
/** Whether the home page of everybody who has it shows it as a chart; only of page metrics */
home?: boolean;
}

export interface SecondFactor {
/** The id. */
id: string;
/** What kind it is. */
kind: "totp" | "passkey";
/** A name for people. */
name: string;
/** When it was created. */
createdAt: string;
/** When the key was last used, to the minute; null if never. */
lastUsedAt?: string;
}

export interface SecondFactorLogin {
/** The reason of auth.second-factor-required */
challenge: string;
/** The error code. */
code?: Code;
recoveryCode?: RecoveryCode;
passkey?: PasskeyProof;
}

export interface SecondFactorLoginResponse {
/** The session id, for X-Service-Session-Id. */
sessionId: string;
}

export interface SecurityPolicyAnswer {
/** A session ends after this without use. */
sessionIdle: string;
/** A session ends after this at the latest. */
sessionAbsolute: string;
/** How long an API key may be valid at most. */
apiKeyMaximumAge: string;
/** The token of a shopper who has not signed in ends after this. */
anonymousToken: string;
/** A customer's access token ends after this. */
accessToken: string;
/** A customer's refresh token ends after this without use. */
refreshIdle: string;
/** A customer's sign-in ends after this at the latest. */
refreshAbsolute: string;
/** So long a refresh token may be repeated after its rotation. */
refreshGrace: string;
/** Whether shoppers may register themselves at the tenant's sites. */
customerRegistration: boolean;
/** Whether API keys may create password tokens of customers. */
passwordTokensByApiKey: boolean;
/** How old the last proof of identity may be for sensitive operations: a duration, "off", or "auto", which requires PT15M once somebody of the tenant has a second factor. */
stepUp: string;
/** Who has to have a second factor after a password; who has none sets one up at the next sign-in. */
secondFactor: "off" | "administrators" | "everybody";
/** From the beginning of this day on, in UTC; without it at once. */
secondFactorFrom?: string;
/** By what people sign in. */
signIn: {
/** Who signs in with a password: everybody, or only emergency administrators, while the others sign in at an identity provider. */
password: "everybody" | "emergency-only";
/** Whether people sign in with only a passkey. */
passkeys: "on" | "off";
};
}

export interface SerieValues {
/** The value of each dimension that was grouped by. */
groups: Record<string, string>;
/** One value for each of the times. */
values: Array<number>;
}

export interface Session {
/** Identifies the session without being its secret. */
ref: string;
/** When it was created. */
createdAt: string;
/** When the password or a second factor was checked last; a switch from another tenant keeps it */
authenticatedAt: string;
authenticatedBy: AuthenticatedBy;
/** When it was last used, to the minute. */
lastSeenAt: string;
/** When it expires. */
expiresAt: string;
/** When it expires if it is not used before. */
idleExpiresAt: string;
/** The address. */
address: string;
/** The User-Agent of the request. */
agent: string;
/** The id of a site. */
site?: string;
/** For a session: whether it is the caller's own. For a password: the one so far. */
current: boolean;
}

export interface SessionLogin {
/** The name that the account signs in with. */
login: string;
/** The id of a tenant. */
tenant: string;
/** The password. It is stored only as a hash. */
password: string;
/** The id of a site. */
site?: string;
}

export interface SessionLoginResponse {
/** The session id, for X-Service-Session-Id. */
sessionId: string;
}

export interface SetUserRolesRequest {
/** The ids of the roles. */
roleIds: Array<"tenant.admin" | "portal.users.mgmt" | "portal.configurations.mgmt" | "portal.analytics.mgmt" | "portal.data-feed.mgmt" | "portal.data-capture.mgmt" | "portal.qa.mgmt" | "portal.pim.mgmt" | "portal.catalog.mgmt" | "portal.ratings.mgmt" | "portal.customers.mgmt" | "portal.order.mgmt" | "portal.promotions.mgmt" | "portal.inventory.mgmt" | "portal.shipping-carrier.mgmt" | "portal.cart.mgmt" | "portal.wishlist.mgmt" | "portal.clotho.mgmt" | "portal.quotes.mgmt" | "portal.return-policy.mgmt" | "portal.locations.mgmt" | "portal.finance-offers.mgmt" | "portal.pricing-feed.mgmt" | "portal.default">;
/** By role, when it ends: one left out keeps its end, null removes it */
expiresAt?: Record<string, string | null>;
/** The sites by id. */
sites?: Record<string, {
/** The ids of the roles. */
roleIds: Array<"tenant.admin" | "portal.users.mgmt" | "portal.configurations.mgmt" | "portal.analytics.mgmt" | "portal.data-feed.mgmt" | "portal.data-capture.mgmt" | "portal.qa.mgmt" | "portal.pim.mgmt" | "portal.catalog.mgmt" | "portal.ratings.mgmt" | "portal.customers.mgmt" | "portal.order.mgmt" | "portal.promotions.mgmt" | "portal.inventory.mgmt" | "portal.shipping-carrier.mgmt" | "portal.cart.mgmt" | "portal.wishlist.mgmt" | "portal.clotho.mgmt" | "portal.quotes.mgmt" | "portal.return-policy.mgmt" | "portal.locations.mgmt" | "portal.finance-offers.mgmt" | "portal.pricing-feed.mgmt" | "portal.default">;
/** By role, when it ends: one left out keeps its end, null removes it */
expiresAt?: Record<string, string | null>;
}>;
}

export interface SignInConnection {
/** The id. */
id: string;
/** What the button of the sign-in page shows */
name: string;
/** The address to open in a browser to sign in */
url: string;
}

export interface SignInMethods {
/** Whether a passkey alone signs in: the policy of the tenant allows it, and the host of `PUBLIC_URL` is one that browsers keep passkeys for */
passkey: boolean;
/** The enabled identity providers of the tenant */
connections: Array<SignInConnection>;
}

export interface SignInSafety {
/** Whether a tenant.admin signed in through an enabled connection within the last hour */
connectionSignIn: boolean;
/** When a tenant.admin did so last */
lastConnectionSignInAt?: string;
/** Whether an emergency administrator with password and second factor can sign in */
emergencyAdministrator: boolean;
}

export interface SignUp {
/** The id of a tenant. */
tenant: string;
/** The id of a site. */
site: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** The e-mail address. */
emailAddress: string;
/** At least 15 characters: not common, not a sequence, without the login or a name. */
password: string;
}

export interface SignUpResponse {
/** The id of a tenant. */
tenant: string;
/** The id of a site. */
site: string;
/** The user. */
user: User;
}

export interface Site {
/** The id. */
id: string;
/** A name for people. */
name: string;
/** When it was created. */
createdAt: string;
/** Origins of pages that may call the consumer interface of this site */
allowedOrigins: Array<string>;
/** Language tags (BCP 47) of the site. */
locales: Array<string>;
/** An ISO 4217 code such as EUR. */
currency: string | null;
}

export interface SiteChange {
/** A name for people. */
name?: string;
/** Origins of pages that may call the shopper operations of the site. */
allowedOrigins?: Array<string>;
/** Language tags (BCP 47) of the site. */
locales?: Array<string>;
/** An ISO 4217 code such as EUR. */
currency?: string | null;
}

export interface Step {
/** The name of the check. */
step: "frame" | "path" | "method" | "credential" | "site" | "role" | "format" | "input" | "resource" | "precondition" | "state" | "server";
/** What came of the check. */
outcome: "passed" | "failed" | "not-reached";
}

export interface StepUp {
/** The password. It is stored only as a hash. */
password?: string;
/** The error code. */
code?: Code;
recoveryCode?: RecoveryCode;
passkey?: PasskeyProof;
}

export interface StepUpSessionResponse {
/** Now: the proof is fresh from here on */
authenticatedAt: string;
authenticatedBy: AuthenticatedBy;
}

export interface SwitchSessionRequest {
/** The id of a tenant. */
tenant: string;
}

export interface SwitchSessionResponse {
/** The session id, for X-Service-Session-Id. */
sessionId: string;
/** Identifies the session without being its secret. */
ref: string;
}

export interface Tenant {
/** The id. */
id: string;
/** A name for people. */
name: string;
/** What kind it is. */
kind: "platform" | "production" | "sandbox" | "demo";
/** When it was created. */
createdAt: string;
}

export interface TenantRoles {
/** The ids of the roles. */
roleIds: Array<string>;
/** By role, when it ends. Only where one user is shown */
expiresAt?: Record<string, string>;
/** The sites by id. */
sites: Record<string, {
/** The ids of the roles. */
roleIds: Array<string>;
/** By role, when it ends. Only where one user is shown */
expiresAt?: Record<string, string>;
}>;
}

export interface TestAlertRequest {
/** Days that counts of one dimension are kept. */
days?: number;
}

export interface TestAuditStreamResponse {
/** Whether it was confirmed */
delivered: boolean;
/** What came of it */
attempt: {
/** When it happened. */
at: string;
/** Milliseconds until the response. */
durationMs: number;
/** Of the response, if there was one */
status?: number;
/** Of the response */
contentType?: string;
/** The beginning of the response body */
response?: string;
/** Why there was no response, or none of 2xx */
problem?: string;
};
}

export interface TestWebhookResponse {
/** The id of the event that was sent */
eventId: string;
/** Whether the response was 2xx */
delivered: boolean;
/** What came of it */
attempt: {
/** When it happened. */
at: string;
/** Milliseconds until the response. */
durationMs: number;
/** Of the response, if there was one */
status?: number;
/** Of the response */
contentType?: string;
/** The beginning of the response body */
response?: string;
/** Why there was no response, or none of 2xx */
problem?: string;
};
}

export interface TimeSeries {
/** The beginning of each bucket. */
times: Array<string>;
/** One series of values for each group. */
series: Array<SerieValues>;
/** How the response was computed. */
plan?: {
/** The combination of dimensions that was read. */
shape: string;
/** The length of each bucket. */
period: {
/** The unit. */
unit: string;
/** How many. */
count: number;
/** A name of the IANA time zone database, such as Europe/Berlin. */
timeZone: string;
};
/** The tables that were read, and from when to when. */
segments: Array<{
/** The name of the table. */
table: string;
/** The first instant. */
from: string;
/** The instant after the last one. */
to: string;
}>;
};
}

export interface UpdateTenantRequest {
/** A name for people. */
name?: string;
}

export interface UsageReport {
/** Identifies the report: the same one is counted once */
batchId: string;
/** Who verified: the domain of these calls in the metrics */
service: string;
/** The credentials that were used. */
uses: Array<{
/** As POST /v1/access/verify named it */
credentialId: string;
/** What kind it is. */
kind: "apiKey" | "session" | "bearer";
/** How many. */
count: number;
/** When it was last used: within the last day */
lastUsedAt: string;
/** Where the credential was presented from; keys with allowed addresses need it */
address?: string;
/** What it was used for: METHOD /path, with {variables} */
operation?: string;
}>;
}

export interface User {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** The user's roles by tenant: only the tenant of the request. */
userRoles: Record<string, TenantRoles>;
/** The id of a tenant. */
tenant: string;
/** The e-mail address. */
emailAddress: string;
/** When the account was created. */
registrationDate: string;
/** Whether the account is locked now. */
lock: boolean;
/** Whether the user belongs to the platform itself. */
system: boolean;
/** When the account last signed in; null if never. */
lastLoginAt?: string | null;
/** The state of the user. */
state?: "active" | "invited" | "deactivated";
/** What kind it is. */
kind?: "person" | "service";
/** Why the account is locked. */
lockReason?: string | null;
/** When the lock ends by itself; null if it does not. */
lockedUntil?: string | null;
/** When the user's personal data were erased. */
erasedAt?: string;
/** Whether a link mailed to the address was followed. Absent where no mail is sent, and of a person of another tenant. */
emailConfirmed?: boolean;
}

export interface UserChange {
/** A name for people. */
name?: string;
/** The e-mail address. */
emailAddress?: string;
}

export type UserExportRecord = {
/** What kind it is. */
type: "profile";
/** The data. */
data: User;
} | {
/** What kind it is. */
type: "preferences";
/** The data. */
data: Record<string, unknown>;
} | {
/** What kind it is. */
type: "session";
/** The data. */
data: Session;
} | {
/** What kind it is. */
type: "apiKey";
/** The data. */
data: ApiKey;
} | {
/** What kind it is. */
type: "secondFactor";
/** The data. */
data: SecondFactor;
} | {
/** What kind it is. */
type: "identity";
/** The data. */
data: Identity;
} | {
/** What kind it is. */
type: "provisioning";
/** The data. */
data: Provisioned;
} | {
/** What kind it is. */
type: "previewComment";
/** The data. */
data: OwnComment;
} | {
/** What kind it is. */
type: "marker";
/** The data. */
data: OwnMarker;
} | {
/** What kind it is. */
type: "view";
/** The data. */
data: SavedView;
} | {
/** What kind it is. */
type: "accessRequest";
/** The data. */
data: AccessRequest;
} | {
/** What kind it is. */
type: "audit";
/** The data. */
data: AuditEvent;
};

export interface UserGroupRoles {
/** The connection to the identity provider */
connection: {
/** The id. */
id: string;
/** A name for people. */
name: string;
};
/** The group that it belongs to. */
group: string;
/** What the group gives. It cannot be taken from the user */
roles: TenantRoles;
}

export interface ValidatePreviewResponse {
/** What is wrong, by field. */
problems: Array<{
/** A JSON Pointer to the field. */
pointer: string;
/** A sentence for people. */
detail: string;
}>;
}

export interface Verdict {
/** Whether the credential works for what it was asked about. */
active: boolean;
/** VALID, or why the credential does not work */
code: "VALID" | "UNKNOWN" | "EXPIRED" | "REVOKED" | "SUSPENDED" | "LOCKED" | "INSUFFICIENT_PERMISSION" | "WRONG_SITE" | "WRONG_ADDRESS" | "RATE_LIMITED";
/** What kind it is. */
kind?: "apiKey" | "session" | "bearer" | "customer";
/** The id of the key, session or sign-in: what /v1/access/revocations names */
credentialId?: string;
/** The id of the user or customer */
subject?: string;
/** The name that the account signs in with. */
login?: string;
/** What it allows at the site that was asked about; without one only what it allows in the whole tenant */
permissions?: Array<string>;
/** The sites at which it allows anything */
sites?: Array<string>;
/** When it expires. */
expiresAt?: string;
/** Of a session and its bearers: when the password or a second factor was checked last */
authenticatedAt?: string;
/** Of a session and its bearers: how the person was authenticated then */
authenticatedBy?: Array<string>;
/** The key's own limit: this verification was counted */
rateLimit?: {
/** How many there may be. */
limit: number;
/** The window of a rate limit, from PT1S to P1D. */
window: string;
/** Where uses was sent: how many of them were taken, this one included */
granted?: number;
/** Where uses was sent: milliseconds until the next window begins */
resetMs?: number;
};
/** The ranges that an API key may be used from; null if it may be used from any. */
allowedAddresses?: Array<string>;
/** Seconds for which the answer may be reused by a caller that polls /v1/access/revocations at least once a second; 0: ask again each time */
cacheFor: number;
}

export interface VerifyCredentialsRequest {
/** The credentials to verify. */
credentials: Array<{
/** The API key itself. */
apiKey?: string;
/** The session id, for X-Service-Session-Id. */
sessionId?: string;
/** A management bearer or the access token of a customer */
token?: string;
/** A permission. */
permission?: "user.read" | "user.manage" | "role.read" | "session.manage" | "api-key.manage" | "audit.read" | "audit.manage" | "event.read" | "tenant.read" | "tenant.manage" | "webhook.manage" | "credential.verify" | "api-metric.read" | "api-metric.write" | "api-metric.export" | "preview.configuration.read" | "preview.configuration.write" | "customer.read" | "customer.manage" | "order.manage" | "promotion.manage" | "inventory.manage" | "rating.manage" | "data-capture.manage" | "shipping-carrier.manage" | "cart.manage" | "wishlist.manage" | "clotho.manage" | "quote.manage" | "return-policy.manage" | "location.manage" | "finance-offer.manage" | "pricing-feed.manage";
/** The id of a site. */
site?: string;
/** Where the credential was presented from; keys with allowed addresses need it */
address?: string;
/** Sent by a verifier that enforces the limits of keys itself: how many uses of a key with a rate limit to take in advance */
uses?: number;
}>;
}

export interface Webhook {
/** The id. */
id: string;
/** The link for the person to open. */
url: string;
/** Types of events, such as user.locked, user.* or * */
types: Array<string>;
/** Only events about this site; null for all */
site: string | null;
/** A text for people */
description: string;
/** The status. */
status: "enabled" | "disabled";
/** failing: no delivery succeeded for three days. gone: the URL answered 410 */
disabledReason: "by-user" | "failing" | "gone" | null;
/** When the first attempt failed since the last success; null if the last one succeeded */
failingSince: string | null;
/** When it was created. */
createdAt: string;
/** Until when deliveries are also signed with the secret before the last rotation */
previousSecretValidTo: string | null;
}

export interface WebhookChange {
/** https, and no private, local or reserved address. Redirects are not followed */
url?: string;
/** Types of events, such as user.locked, user.* or * */
types?: Array<EventTypePattern>;
/** The id of a site. */
site?: string | null;
/** A text for people */
description?: string;
}

export interface WebhookDelivery {
/** The id of the event */
id: string;
/** What kind it is. */
type: string;
/** What it is about. */
subject: string;
/** pending: it is tried again. failed: it was given up after three days */
status: "pending" | "delivered" | "failed";
/** When it was created. */
createdAt: string;
/** null while an earlier event of its subject is pending, and for what is not */
nextAttemptAt: string | null;
/** The newest 20, oldest first */
attempts: Array<{
/** When it happened. */
at: string;
/** Milliseconds until the response. */
durationMs: number;
/** Of the response, if there was one */
status?: number;
/** Of the response */
contentType?: string;
/** The beginning of the response body */
response?: string;
/** Why there was no response, or none of 2xx */
problem?: string;
}>;
}

export interface WithoutSecondFactor {
/** The id. */
id: string;
/** The name that the account signs in with. */
login: string;
/** A name for people. */
name: string;
/** Whether the user is tenant.admin, of the tenant or of a site */
isAdministrator: boolean;
/** When the account last signed in; null if never. */
lastLoginAt?: string;
}

/** What each operation takes and answers. */
export interface Operations {
"POST /v1/user/session-login": {
input: {
body: SessionLogin;
};
answer: SessionLoginResponse;
};
"GET /v1/user/session": {
input?: Record<string, never>;
answer: CurrentSession;
};
"DELETE /v1/user/session": {
input?: Record<string, never>;
answer: undefined;
};
"POST /v1/user/session/switch": {
input: {
body: SwitchSessionRequest;
};
answer: SwitchSessionResponse;
};
"GET /v1/user/tenants": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<OwnTenant>;
};
"GET /v1/user/sessions": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Session>;
};
"DELETE /v1/user/sessions": {
input?: Record<string, never>;
answer: undefined;
};
"DELETE /v1/user/sessions/{ref}": {
input: {
/** The reference of a session, from the list of sessions. */
ref: string;
};
answer: undefined;
};
"GET /v1/user/{id}/sessions": {
input: {
/** The id of a user. */
id: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Session>;
};
"DELETE /v1/user/{id}/sessions": {
input: {
/** The id of a user. */
id: string;
};
answer: undefined;
};
"POST /v1/user/portal-token": {
input?: Record<string, never>;
answer: CreatePortalTokenResponse;
};
"PUT /v1/user/password": {
input: {
body: ChangePassword;
};
answer: undefined;
};
"GET /v1/user/second-factors": {
input?: Record<string, never>;
answer: Array<SecondFactor>;
};
"POST /v1/user/second-factors": {
input: {
body: CreateSecondFactorRequest;
};
answer: CreateSecondFactorResponse;
};
"POST /v1/user/second-factors/{id}/confirm": {
input: {
/** The id of a second factor. */
id: string;
body: ConfirmSecondFactorRequest;
};
answer: ConfirmSecondFactorResponse;
};
"DELETE /v1/user/second-factors/{id}": {
input: {
/** The id of a second factor. */
id: string;
};
answer: undefined;
};
"GET /v1/user/second-factors/recovery-codes": {
input?: Record<string, never>;
answer: CountRecoveryCodesResponse;
};
"POST /v1/user/second-factors/recovery-codes": {
input?: Record<string, never>;
answer: CreateRecoveryCodesResponse;
};
"POST /v1/user/{id}/reset-second-factors": {
input: {
/** The id of a user. */
id: string;
body: ResetSecondFactorsRequest;
};
answer: undefined;
};
"POST /v1/user/passkeys/options": {
input?: Record<string, never>;
answer: NewPasskeyOptions;
};
"POST /v1/user/passkeys": {
input: {
body: CreatePasskeyRequest;
};
answer: CreatePasskeyResponse;
};
"POST /v1/user/passkey-login/options": {
input: {
body: PasskeyLoginOptionsRequest;
};
answer: PasskeyProofOptions;
};
"POST /v1/user/passkey-login": {
input: {
body: PasskeyLogin;
};
answer: PasskeyLoginResponse;
};
"POST /v1/user/session/step-up": {
input: {
body: StepUp;
};
answer: StepUpSessionResponse;
};
"POST /v1/user/session-login/set-up": {
input: {
body: BeginSetUpRequest;
};
answer: BeginSetUpResponse;
};
"POST /v1/user/session-login/set-up/confirm": {
input: {
body: FinishSetUp;
};
answer: FinishSetUpResponse;
};
"POST /v1/user/session-login/second-factor": {
input: {
body: SecondFactorLogin;
};
answer: SecondFactorLoginResponse;
};
"GET /v1/user/profile/api-keys": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<ApiKey>;
};
"POST /v1/user/profile/api-keys": {
input: {
body: NewApiKey;
};
answer: KeySecret;
};
"GET /v1/user/profile/api-keys/{apiKeyId}": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ApiKeyDetails;
};
"PATCH /v1/user/profile/api-keys/{apiKeyId}": {
input: {
/** The id of an API key. */
apiKeyId: string;
body: ApiKeyChange;
};
answer: ApiKeyDetails;
};
"DELETE /v1/user/profile/api-keys/{apiKeyId}": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: undefined;
};
"POST /v1/user/profile/api-keys/{apiKeyId}/rotate": {
input: {
/** The id of an API key. */
apiKeyId: string;
body?: Rotation;
};
answer: RotatedKey;
};
"POST /v1/user/profile/api-keys/{apiKeyId}/retire-previous": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ApiKey;
};
"POST /v1/user/profile/api-keys/{apiKeyId}/suspend": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ApiKey;
};
"POST /v1/user/profile/api-keys/{apiKeyId}/resume": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ApiKey;
};
"POST /v1/user/api-keys/report-leak": {
input: {
body: ReportLeakRequest;
};
answer: undefined;
};
"GET /v1/user/api-keys": {
input?: {
/** The id of a user */
owner?: string;
/** Only those of this status. */
status?: "active" | "suspended" | "expired" | "revoked";
/** Keys that end within this time, such as P14D */
expiresWithin?: string;
/** Keys that nobody used for this time, such as P90D; new ones count from their creation */
unusedFor?: string;
/** Keys that nobody used so far, or those that somebody did */
neverUsed?: "true" | "false";
/** Keys whose owner is locked, or is not */
ownerLock?: "true" | "false";
/** A member to add */
fields?: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<ManagedKey>;
};
"GET /v1/user/api-keys/{apiKeyId}": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ManagedKeyDetails;
};
"PATCH /v1/user/api-keys/{apiKeyId}": {
input: {
/** The id of an API key. */
apiKeyId: string;
body: KeyLimitsChange;
};
answer: ManagedKeyDetails;
};
"POST /v1/user/api-keys/{apiKeyId}/suspend": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ManagedKey;
};
"POST /v1/user/api-keys/{apiKeyId}/resume": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ManagedKey;
};
"POST /v1/user/api-keys/{apiKeyId}/revoke": {
input: {
/** The id of an API key. */
apiKeyId: string;
};
answer: ManagedKey;
};
"POST /v1/user/api-keys/{apiKeyId}/rotate": {
input: {
/** The id of an API key. */
apiKeyId: string;
body?: Rotation;
};
answer: RotatedKey;
};
"POST /v1/user/api-keys/{apiKeyId}/handover": {
input: {
/** The id of an API key. */
apiKeyId: string;
body: HandOverKeyRequest;
};
answer: HandedOverKey;
};
"POST /v1/user/{id}/api-keys": {
input: {
/** The id of a user. */
id: string;
body: NewApiKey;
};
answer: KeySecret;
};
"POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs": {
input: {
/** The id of an API key. */
apiKeyId: string;
body: NewHandOff;
};
answer: HandOff;
};
"DELETE /v1/user/profile/api-keys/{apiKeyId}/hand-offs/{id}": {
input: {
/** The id of an API key. */
apiKeyId: string;
/** The id of a hand-off, as its creation answered it. */
id: string;
};
answer: undefined;
};
"POST /v1/user/api-keys/{apiKeyId}/hand-offs": {
input: {
/** The id of an API key. */
apiKeyId: string;
body: NewHandOff;
};
answer: HandOff;
};
"DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}": {
input: {
/** The id of an API key. */
apiKeyId: string;
/** The id of a hand-off, as its creation answered it. */
id: string;
};
answer: undefined;
};
"POST /v1/user/api-keys/hand-offs/open": {
input: {
body: OpenHandOffRequest;
};
answer: OpenHandOffResponse;
};
"GET /v1/user/list": {
input?: {
/** Part of the login, name or e-mail address */
q?: string;
/** Only those who have this role. */
role?: "tenant.admin" | "portal.users.mgmt" | "portal.configurations.mgmt" | "portal.analytics.mgmt" | "portal.data-feed.mgmt" | "portal.data-capture.mgmt" | "portal.qa.mgmt" | "portal.pim.mgmt" | "portal.catalog.mgmt" | "portal.ratings.mgmt" | "portal.customers.mgmt" | "portal.order.mgmt" | "portal.promotions.mgmt" | "portal.inventory.mgmt" | "portal.shipping-carrier.mgmt" | "portal.cart.mgmt" | "portal.wishlist.mgmt" | "portal.clotho.mgmt" | "portal.quotes.mgmt" | "portal.return-policy.mgmt" | "portal.locations.mgmt" | "portal.finance-offers.mgmt" | "portal.pricing-feed.mgmt" | "portal.default";
/** Only users with a role at this site */
site?: string;
/** Only those who are locked now, or who are not. */
lock?: "true" | "false";
/** Only users of this state; a lock is none */
state?: "active" | "invited" | "deactivated";
/** The order of the list. */
sort?: "login" | "-login" | "name" | "-name" | "emailAddress" | "-emailAddress" | "registrationDate" | "-registrationDate" | "match";
/** Members to add, such as +lastLoginAt,state */
fields?: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<User>;
};
"GET /v1/user/profile": {
input?: Record<string, never>;
answer: User;
};
"GET /v1/user/{id}": {
input: {
/** The id of a user. */
id: string;
};
answer: User;
};
"PATCH /v1/user/{id}": {
input: {
/** The id of a user. */
id: string;
body: UserChange;
};
answer: User;
};
"GET /v1/user/roles": {
input?: Record<string, never>;
answer: Array<Role>;
};
"POST /v1/user/{id}/lock": {
input: {
/** The id of a user. */
id: string;
body: Lock;
};
answer: User;
};
"POST /v1/user/{id}/unlock": {
input: {
/** The id of a user. */
id: string;
};
answer: User;
};
"POST /v1/user/{id}/deactivate": {
input: {
/** The id of a user. */
id: string;
};
answer: User;
};
"POST /v1/user/{id}/reactivate": {
input: {
/** The id of a user. */
id: string;
};
answer: User;
};
"GET /v1/user/{id}/roles": {
input: {
/** The id of a user. */
id: string;
};
answer: TenantRoles;
};
"PUT /v1/user/{id}/roles": {
input: {
/** The id of a user. */
id: string;
body: SetUserRolesRequest;
};
answer: TenantRoles;
};
"POST /v1/user/service-users": {
input: {
body: NewServiceUser;
};
answer: User;
};
"GET /v1/user/access-requests": {
input?: Record<string, never>;
answer: Array<AccessRequest>;
};
"POST /v1/user/access-requests": {
input: {
body: NewAccessRequest;
};
answer: AccessRequest;
};
"DELETE /v1/user/access-requests/{id}": {
input: {
/** The id of a request for access. */
id: string;
};
answer: undefined;
};
"POST /v1/user/access-requests/{id}/decide": {
input: {
/** The id of a request for access. */
id: string;
body: DecideAccessRequestRequest;
};
answer: AccessRequest;
};
"POST /v1/user/invitations": {
input: {
body: NewInvitation;
};
answer: PasswordLink;
};
"POST /v1/user/{id}/password-reset": {
input: {
/** The id of a user. */
id: string;
};
answer: PasswordLink;
};
"POST /v1/user/invitations/accept": {
input: {
body: AcceptInvitationRequest;
};
answer: AcceptInvitationResponse;
};
"POST /v1/user/password-resets": {
input: {
body: RequestPasswordResetRequest;
};
answer: RequestPasswordResetResponse;
};
"POST /v1/user/password-resets/confirm": {
input: {
body: ConfirmPasswordResetRequest;
};
answer: undefined;
};
"GET /v1/tenant/emergency-administrators": {
input?: Record<string, never>;
answer: Array<EmergencyAdministrator>;
};
"PUT /v1/tenant/emergency-administrators/{id}": {
input: {
/** The id of a user. */
id: string;
};
answer: undefined;
};
"DELETE /v1/tenant/emergency-administrators/{id}": {
input: {
/** The id of a user. */
id: string;
};
answer: undefined;
};
"GET /v1/user/without-second-factor": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<WithoutSecondFactor>;
};
"POST /v1/user/email-confirmations": {
input?: Record<string, never>;
answer: RequestEmailConfirmationResponse;
};
"POST /v1/user/email-confirmations/confirm": {
input: {
body: ConfirmEmailAddressRequest;
};
answer: undefined;
};
"GET /v1/user/preferences": {
input?: Record<string, never>;
answer: Preferences;
};
"PUT /v1/user/preferences": {
input: {
body: PreferencesInput;
};
answer: Preferences;
};
"GET /v1/user/notices": {
input?: Record<string, never>;
answer: Array<Notice>;
};
"POST /v1/user/notices/{id}/dismiss": {
input: {
/** The id of a notice. */
id: string;
};
answer: undefined;
};
"GET /v1/user/profile/export": {
input?: Record<string, never>;
answer: Array<UserExportRecord>;
};
"GET /v1/user/{id}/export": {
input: {
/** The id of a user. */
id: string;
};
answer: Array<UserExportRecord>;
};
"POST /v1/user/{id}/erase": {
input: {
/** The id of a user. */
id: string;
body: EraseUser;
};
answer: User;
};
"POST /v1/signup": {
input: {
body: SignUp;
};
answer: SignUpResponse;
};
"POST /v1/user/sandboxes": {
input: {
body: NewSandbox;
};
answer: CreateSandboxResponse;
};
"GET /v1/tenants": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Tenant>;
};
"POST /v1/tenants": {
input: {
body: NewTenant;
};
answer: CreateTenantResponse;
};
"GET /v1/tenants/{id}": {
input: {
/** The id of a tenant. */
id: string;
};
answer: Tenant;
};
"GET /v1/tenant": {
input?: Record<string, never>;
answer: Tenant;
};
"PATCH /v1/tenant": {
input: {
body: UpdateTenantRequest;
};
answer: Tenant;
};
"GET /v1/tenant/sites": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Site>;
};
"POST /v1/tenant/sites": {
input: {
body: NewSite;
};
answer: Site;
};
"GET /v1/tenant/sites/{id}": {
input: {
/** The id of a site. */
id: string;
};
answer: Site;
};
"PATCH /v1/tenant/sites/{id}": {
input: {
/** The id of a site. */
id: string;
body: SiteChange;
};
answer: Site;
};
"DELETE /v1/tenant/sites/{id}": {
input: {
/** The id of a site. */
id: string;
};
answer: undefined;
};
"GET /v1/tenant/security-policy": {
input?: Record<string, never>;
answer: SecurityPolicyAnswer;
};
"PUT /v1/tenant/security-policy": {
input: {
body: NewSecurityPolicy;
};
answer: SecurityPolicyAnswer;
};
"GET /v1/tenant/connections": {
input?: Record<string, never>;
answer: Array<Connection>;
};
"POST /v1/tenant/connections": {
input: {
body: NewConnection;
};
answer: Connection;
};
"GET /v1/tenant/connections/{id}": {
input: {
/** The id of a connection. */
id: string;
};
answer: Connection;
};
"PATCH /v1/tenant/connections/{id}": {
input: {
/** The id of a connection. */
id: string;
body: ConnectionChange;
};
answer: Connection;
};
"DELETE /v1/tenant/connections/{id}": {
input: {
/** The id of a connection. */
id: string;
};
answer: undefined;
};
"POST /v1/tenant/connections/{id}/provisioning-token": {
input: {
/** The id of a connection. */
id: string;
body?: CreateProvisioningTokenRequest;
};
answer: ProvisioningToken;
};
"GET /v1/tenant/connections/{id}/provisioning-requests": {
input: {
/** The id of a connection. */
id: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<ProvisioningRequest>;
};
"GET /v1/tenant/sign-in-safety": {
input?: Record<string, never>;
answer: SignInSafety;
};
"POST /v1/tenant/connections/{id}/group-roles/preview": {
input: {
/** The id of a connection. */
id: string;
body: PreviewGroupRolesRequest;
};
answer: GroupRolesPreview;
};
"GET /v1/user/{id}/group-roles": {
input: {
/** The id of a user. */
id: string;
};
answer: Array<UserGroupRoles>;
};
"GET /v1/user/sign-in-connections": {
input?: Record<string, never>;
answer: Array<SignInConnection>;
};
"GET /v1/user/sign-in-methods": {
input?: Record<string, never>;
answer: SignInMethods;
};
"GET /v1/user/identities": {
input?: Record<string, never>;
answer: Array<Identity>;
};
"DELETE /v1/user/identities/{id}": {
input: {
/** The id of a linked account at an identity provider. */
id: string;
};
answer: undefined;
};
"POST /v1/sso/{connection}/backchannel-logout": {
input: {
/** A tenant and a connection of it: `TENANT.CONNECTION`. */
connection: string;
body: LogoutForm;
};
answer: undefined;
};
"GET /v1/tenant/quotas": {
input?: Record<string, never>;
answer: Array<Quota>;
};
"GET /v1/tenants/{id}/quotas": {
input: {
/** The id of a tenant. */
id: string;
};
answer: Array<Quota>;
};
"PUT /v1/tenants/{id}/quotas/{quota}": {
input: {
/** The id of a tenant. */
id: string;
/** The name of a quota. */
quota: string;
body: NewQuota;
};
answer: Quota;
};
"GET /v1/audit/events": {
input?: {
/** Id or login of who did it */
actor?: string;
/** user.locked, or user.* for all that begin so */
action?: string;
/** Id of what it was done to */
target?: string;
/** Only what the request with this id did. */
requestId?: string;
/** The first instant. */
from?: string;
/** Exclusive */
to?: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<AuditEvent>;
};
"GET /v1/audit/export": {
input?: {
/** Id or login of who did it */
actor?: string;
/** user.locked, or user.* for all that begin so */
action?: string;
/** Id of what it was done to */
target?: string;
/** Only what the request with this id did. */
requestId?: string;
/** The first instant. */
from?: string;
/** Exclusive */
to?: string;
};
answer: Array<ExportedAuditEvent>;
};
"GET /v1/audit/heads": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<AuditHead>;
};
"GET /v1/audit/verify": {
input?: {
/** The id of the item that the list goes on after. */
after?: number;
};
answer: AuditVerification;
};
"GET /v1/audit/streams": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<AuditStream>;
};
"POST /v1/audit/streams": {
input: {
body: NewAuditStream;
};
answer: AuditStream;
};
"GET /v1/audit/streams/{id}": {
input: {
/** The id of an audit stream. */
id: string;
};
answer: AuditStream;
};
"PATCH /v1/audit/streams/{id}": {
input: {
/** The id of an audit stream. */
id: string;
body: AuditStreamChange;
};
answer: AuditStream;
};
"DELETE /v1/audit/streams/{id}": {
input: {
/** The id of an audit stream. */
id: string;
};
answer: undefined;
};
"POST /v1/audit/streams/{id}/rotate": {
input: {
/** The id of an audit stream. */
id: string;
body?: RotateAuditStreamSecretRequest;
};
answer: RotateAuditStreamSecretResponse;
};
"POST /v1/audit/streams/{id}/enable": {
input: {
/** The id of an audit stream. */
id: string;
};
answer: AuditStream;
};
"POST /v1/audit/streams/{id}/disable": {
input: {
/** The id of an audit stream. */
id: string;
};
answer: AuditStream;
};
"POST /v1/audit/streams/{id}/test": {
input: {
/** The id of an audit stream. */
id: string;
};
answer: TestAuditStreamResponse;
};
"GET /v1/events": {
input?: {
/** The last event that was seen, or what Link held; without it the feed begins 30 days ago */
after?: string;
/** Only events of this type, such as user.locked, user.* or *. */
type?: EventTypePattern;
/** Only events about this site */
site?: string;
/** How many items the page has at most */
limit?: number;
};
answer: Array<CloudEvent>;
};
"GET /v1/webhooks": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Webhook>;
};
"POST /v1/webhooks": {
input: {
body: NewWebhook;
};
answer: CreateWebhookResponse;
};
"GET /v1/webhooks/{id}": {
input: {
/** The id of a webhook. */
id: string;
};
answer: Webhook;
};
"PATCH /v1/webhooks/{id}": {
input: {
/** The id of a webhook. */
id: string;
body: WebhookChange;
};
answer: Webhook;
};
"DELETE /v1/webhooks/{id}": {
input: {
/** The id of a webhook. */
id: string;
};
answer: undefined;
};
"POST /v1/webhooks/{id}/rotate": {
input: {
/** The id of a webhook. */
id: string;
body?: RotateWebhookSecretRequest;
};
answer: RotateWebhookSecretResponse;
};
"POST /v1/webhooks/{id}/enable": {
input: {
/** The id of a webhook. */
id: string;
};
answer: Webhook;
};
"POST /v1/webhooks/{id}/disable": {
input: {
/** The id of a webhook. */
id: string;
};
answer: Webhook;
};
"POST /v1/webhooks/{id}/test": {
input: {
/** The id of a webhook. */
id: string;
};
answer: TestWebhookResponse;
};
"GET /v1/webhooks/{id}/deliveries": {
input: {
/** The id of a webhook. */
id: string;
/** Only those of this status. */
status?: "pending" | "delivered" | "failed";
/** Only events of this type, such as user.locked, user.* or *. */
type?: EventTypePattern;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<WebhookDelivery>;
};
"GET /v1/webhooks/{id}/deliveries/{deliveryId}": {
input: {
/** The id of a webhook. */
id: string;
/** The id of the event. */
deliveryId: string;
};
answer: GetWebhookDeliveryResponse;
};
"POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
input: {
/** The id of a webhook. */
id: string;
/** The id of the event. */
deliveryId: string;
};
answer: WebhookDelivery;
};
"POST /v1/webhooks/{id}/replay": {
input: {
/** The id of a webhook. */
id: string;
body: ReplayEventsRequest;
};
answer: ReplayEventsResponse;
};
"POST /v1/access/explain": {
input: {
body: Question;
};
answer: Explanation;
};
"GET /v1/access/last-use": {
input?: {
/** The id of a user: this or an API key. */
userId?: string;
/** The id of an API key: this or a user. */
apiKeyId?: string;
};
answer: LastUse;
};
"GET /v1/access/holders": {
input: {
/** The permission that they hold. */
permission: "user.read" | "user.manage" | "role.read" | "session.manage" | "api-key.manage" | "audit.read" | "audit.manage" | "event.read" | "tenant.read" | "tenant.manage" | "webhook.manage" | "credential.verify" | "api-metric.read" | "api-metric.write" | "api-metric.export" | "preview.configuration.read" | "preview.configuration.write" | "customer.read" | "customer.manage" | "order.manage" | "promotion.manage" | "inventory.manage" | "rating.manage" | "data-capture.manage" | "shipping-carrier.manage" | "cart.manage" | "wishlist.manage" | "clotho.manage" | "quote.manage" | "return-policy.manage" | "location.manage" | "finance-offer.manage" | "pricing-feed.manage";
/** Also those who hold it at this site alone */
site?: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Holder>;
};
"POST /v1/access/verify": {
input: {
body: VerifyCredentialsRequest;
};
answer: Array<Verdict>;
};
"POST /v1/access/introspect": {
input: {
body: IntrospectTokenRequest;
};
answer: IntrospectTokenResponse;
};
"GET /v1/access/revocations": {
input?: {
/** The id of the last item that was seen, or what Link held; without it the feed begins now */
after?: string;
/** How many items the page has at most */
limit?: number;
};
answer: Array<Revocation>;
};
"POST /v1/access/usage": {
input: {
body: UsageReport;
};
answer: ReportUsageResponse;
};
"GET /v1/requests": {
input?: {
/** Only what the request with this id did. */
requestId?: string;
/** Only requests with this error code. */
code?: string;
/** As user */
userId?: string;
/** The id of an API key */
apiKey?: string;
/** The id of a user */
user?: string;
/** METHOD /path as the reference has it */
operation?: string;
/** failed: 400 and above. client-error: 4xx. server-error: 5xx. succeeded: below 400 */
outcome?: "failed" | "client-error" | "server-error" | "succeeded";
/** Where requests came from */
address?: string;
/** The site that requests named */
site?: string;
/** Only those of this status. */
status?: number;
/** The first instant. */
from?: string;
/** The instant after the last one. */
to?: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<RefusedRequest>;
};
"GET /v1/requests/{id}": {
input: {
/** The id of a rejected request. */
id: string;
};
answer: RefusedRequestDetails;
};
"GET /pim/preview/{key}/configuration": {
input: {
/** The key of a preview configuration. */
key: string;
};
answer: PreviewConfiguration;
};
"PUT /pim/preview/{key}/configuration": {
input: {
/** The key of a preview configuration. */
key: string;
body: PreviewConfiguration;
};
answer: PreviewConfiguration;
};
"GET /pim/preview": {
input?: {
/** Those that were deleted in the last 30 days and can be restored */
deleted?: boolean;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Preview>;
};
"POST /pim/preview": {
input: {
body: NewPreview;
};
answer: Preview;
};
"GET /pim/preview/{key}": {
input: {
/** The key of a preview configuration. */
key: string;
};
answer: Preview;
};
"DELETE /pim/preview/{key}": {
input: {
/** The key of a preview configuration. */
key: string;
};
answer: undefined;
};
"POST /pim/preview/{key}/archive": {
input: {
/** The key of a preview configuration. */
key: string;
};
answer: Preview;
};
"POST /pim/preview/{key}/unarchive": {
input: {
/** The key of a preview configuration. */
key: string;
};
answer: Preview;
};
"POST /pim/preview/{key}/restore": {
input: {
/** The key of a preview configuration. */
key: string;
};
answer: Preview;
};
"POST /pim/preview/validate": {
input: {
body: PreviewConfiguration;
};
answer: ValidatePreviewResponse;
};
"GET /pim/preview/{key}/revisions": {
input: {
/** The key of a preview configuration. */
key: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<PreviewRevision>;
};
"GET /pim/preview/{key}/revisions/{n}": {
input: {
/** The key of a preview configuration. */
key: string;
/** The number of a revision. */
n: string;
};
answer: PreviewConfiguration;
};
"POST /pim/preview/{key}/revisions/{n}/restore": {
input: {
/** The key of a preview configuration. */
key: string;
/** The number of a revision. */
n: string;
};
answer: Preview;
};
"GET /pim/preview/{key}/shares": {
input: {
/** The key of a preview configuration. */
key: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<PreviewShare>;
};
"POST /pim/preview/{key}/shares": {
input: {
/** The key of a preview configuration. */
key: string;
body: NewPreviewShare;
};
answer: CreatePreviewShareResponse;
};
"DELETE /pim/preview/{key}/shares/{id}": {
input: {
/** The key of a preview configuration. */
key: string;
/** The id of a share. */
id: string;
};
answer: undefined;
};
"POST /pim/preview/{key}/shares/exchange": {
input: {
/** The key of a preview configuration. */
key: string;
body: ExchangePreviewShareRequest;
};
answer: ExchangePreviewShareResponse;
};
"GET /pim/preview/{key}/comments": {
input: {
/** The key of a preview configuration. */
key: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<PreviewComment>;
};
"POST /pim/preview/{key}/comments": {
input: {
/** The key of a preview configuration. */
key: string;
body: NewPreviewComment;
};
answer: PreviewComment;
};
"PATCH /pim/preview/{key}/comments/{id}": {
input: {
/** The key of a preview configuration. */
key: string;
/** The id of a comment. */
id: string;
body: PreviewCommentChange;
};
answer: PreviewComment;
};
"DELETE /pim/preview/{key}/comments/{id}": {
input: {
/** The key of a preview configuration. */
key: string;
/** The id of a comment. */
id: string;
};
answer: undefined;
};
"GET /pim/releases": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Release>;
};
"POST /pim/releases": {
input: {
body: NewRelease;
};
answer: Release;
};
"GET /pim/releases/{id}": {
input: {
/** The id of a release. */
id: string;
};
answer: Release;
};
"PATCH /pim/releases/{id}": {
input: {
/** The id of a release. */
id: string;
body: ReleaseChange;
};
answer: Release;
};
"DELETE /pim/releases/{id}": {
input: {
/** The id of a release. */
id: string;
};
answer: undefined;
};
"POST /pim/releases/{id}/publish": {
input: {
/** The id of a release. */
id: string;
body?: ReleasePublication;
};
answer: Release;
};
"POST /pim/releases/{id}/cancel": {
input: {
/** The id of a release. */
id: string;
};
answer: Release;
};
"POST /v1/customer/login/anonymous-token": {
input?: Record<string, never>;
answer: CreateAnonymousTokenResponse;
};
"POST /v1/customer/registration": {
input: {
body: Registration;
};
answer: CustomerProfile;
};
"POST /v1/customer/login/token": {
input: {
body: CustomerLogin;
};
answer: CustomerTokenPair;
};
"POST /v1/customer/login/refresh-token": {
input: {
body: RefreshTokensRequest;
};
answer: CustomerTokenPair;
};
"POST /v1/customer/logout": {
input?: {
body?: Logout;
};
answer: undefined;
};
"POST /v1/customer/password": {
input: {
body: ChangeCustomerPassword;
};
answer: undefined;
};
"POST /v1/customer/password-resets/confirm": {
input: {
body: ConfirmPasswordReset;
};
answer: undefined;
};
"GET /v1/customer/profile": {
input?: Record<string, never>;
answer: CustomerProfile;
};
"PATCH /v1/customer/profile": {
input: {
body: ProfilePatch;
};
answer: CustomerProfile;
};
"DELETE /v1/customer/profile": {
input?: Record<string, never>;
answer: undefined;
};
"GET /v1/customer/profile/export": {
input?: Record<string, never>;
answer: Array<ExportRecord>;
};
"GET /v1/customers": {
input?: {
/** The whole login, e-mail address or id; each search is recorded */
q?: string;
/** The whole login */
login?: string;
/** The whole e-mail address */
emailAddress?: string;
/** The whole id. */
id?: string;
/** Only customers that are locked now, or that are not */
lock?: "true" | "false";
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Customer>;
};
"POST /v1/customers": {
input: {
body: NewCustomer;
};
answer: CustomerDetail;
};
"GET /v1/customers/{id}": {
input: {
/** The id of a customer. */
id: string;
};
answer: CustomerDetail;
};
"PATCH /v1/customers/{id}": {
input: {
/** The id of a customer. */
id: string;
body: ProfilePatch;
};
answer: CustomerDetail;
};
"DELETE /v1/customers/{id}": {
input: {
/** The id of a customer. */
id: string;
body: EraseCustomer;
};
answer: undefined;
};
"POST /v1/customers/{id}/lock": {
input: {
/** The id of a customer. */
id: string;
body: LockCustomer;
};
answer: CustomerDetail;
};
"POST /v1/customers/{id}/unlock": {
input: {
/** The id of a customer. */
id: string;
};
answer: CustomerDetail;
};
"POST /v1/customers/{id}/end-sessions": {
input: {
/** The id of a customer. */
id: string;
};
answer: CustomerDetail;
};
"PUT /v1/customers/{id}/sites/{site}": {
input: {
/** The id of a customer. */
id: string;
/** The id of a site. */
site: string;
};
answer: CustomerDetail;
};
"DELETE /v1/customers/{id}/sites/{site}": {
input: {
/** The id of a customer. */
id: string;
/** The id of a site. */
site: string;
};
answer: undefined;
};
"POST /v1/customers/{id}/reveal": {
input: {
/** The id of a customer. */
id: string;
body: RevealCustomer;
};
answer: RevealedCustomer;
};
"POST /v1/customers/{id}/password-token": {
input: {
/** The id of a customer. */
id: string;
};
answer: CreatePasswordTokenResponse;
};
"POST /v1/customers/exports": {
input: {
body: ExportCustomers;
};
answer: Array<CustomerProfile>;
};
"GET /v1/customers/imports": {
input?: {
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<CustomerImport>;
};
"POST /v1/customers/imports": {
input: {
body: Iterable<ImportedCustomer>;
};
answer: CustomerImport;
};
"GET /v1/customers/imports/{id}": {
input: {
/** The id of an import. */
id: string;
};
answer: CustomerImport;
};
"POST /v1/customers/imports/{id}/cancel": {
input: {
/** The id of an import. */
id: string;
};
answer: CustomerImport;
};
"GET /v1/customers/imports/{id}/results": {
input: {
/** The id of an import. */
id: string;
/** Only lines with this result. */
result?: "created" | "failed";
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<ListCustomerImportResultsItem>;
};
"GET /v1/api-metrics/metrics/timeserie-counts": {
input: {
/** The first instant. */
from: string;
/** The instant after the last one. */
to: string;
/** Only calls of these domains. */
domain?: Array<string>;
/** At most 3. No group: one series of all calls */
group?: Array<AggregationGroup>;
/** The length of each bucket. */
period?: AggregationPeriod;
/** Only calls at these sites. */
site?: Array<string>;
/** Only calls of these endpoints. */
endpoint?: Array<string>;
/** Only those of this status. */
status?: Array<string>;
/** Only calls with statuses of these classes. */
statusClass?: Array<"1xx" | "2xx" | "3xx" | "4xx" | "5xx">;
/** Only calls by the API keys with these ids. */
apiKey?: Array<string>;
/** Adds how the answer was found; for tenant administrators */
explain?: "true";
};
answer: TimeSeries;
};
"GET /v1/api-metrics/metrics/timeserie-latencies": {
input: {
/** The first instant. */
from: string;
/** The instant after the last one. */
to: string;
/** Only calls of these domains. */
domain?: Array<string>;
/** At most 3. No group: one series of all calls */
group?: Array<AggregationGroup>;
/** The length of each bucket. */
period?: AggregationPeriod;
/** Only calls at these sites. */
site?: Array<string>;
/** Only calls of these endpoints. */
endpoint?: Array<string>;
/** Only those of this status. */
status?: Array<string>;
/** Only calls with statuses of these classes. */
statusClass?: Array<"1xx" | "2xx" | "3xx" | "4xx" | "5xx">;
/** Only calls by the API keys with these ids. */
apiKey?: Array<string>;
/** The quantiles to measure, such as p95. */
quantile?: Array<string>;
};
answer: LatencySeries;
};
"GET /v1/api-metrics/metrics/top": {
input: {
/** The first instant. */
from: string;
/** The instant after the last one. */
to: string;
/** Only calls of these domains. */
domain?: Array<string>;
/** At most 3. No group: one series of all calls */
group?: Array<AggregationGroup>;
/** The length of each bucket. */
period?: AggregationPeriod;
/** Only calls at these sites. */
site?: Array<string>;
/** Only calls of these endpoints. */
endpoint?: Array<string>;
/** Only those of this status. */
status?: Array<string>;
/** Only calls with statuses of these classes. */
statusClass?: Array<"1xx" | "2xx" | "3xx" | "4xx" | "5xx">;
/** Only calls by the API keys with these ids. */
apiKey?: Array<string>;
/** How many items there are at most. */
limit?: number;
};
answer: Array<ListTopItem>;
};
"GET /v1/api-metrics/metrics/export": {
input: {
/** The first instant. */
from: string;
/** The instant after the last one. */
to: string;
/** Only calls of these domains. */
domain?: Array<string>;
/** At most 3. No group: one series of all calls */
group?: Array<AggregationGroup>;
/** The length of each bucket. */
period?: AggregationPeriod;
/** Only calls at these sites. */
site?: Array<string>;
/** Only calls of these endpoints. */
endpoint?: Array<string>;
/** Only those of this status. */
status?: Array<string>;
/** Only calls with statuses of these classes. */
statusClass?: Array<"1xx" | "2xx" | "3xx" | "4xx" | "5xx">;
/** Only calls by the API keys with these ids. */
apiKey?: Array<string>;
/** Adds how the answer was found; for tenant administrators */
explain?: "true";
};
answer: Array<ExportCountsItem>;
};
"GET /v1/api-metrics/metadata": {
input?: Record<string, never>;
answer: MetricsMetadata;
};
"POST /v1/api-metrics/events": {
input: {
body: MetricBatch;
};
answer: RecordCallsResponse;
};
"GET /v1/alerts": {
input?: {
/** Only rules of this status */
status?: "pending" | "ok" | "firing" | "no-data";
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Alert>;
};
"POST /v1/alerts": {
input: {
body: NewAlert;
};
answer: Alert;
};
"POST /v1/alerts/test": {
input: {
body: AlertTrial;
};
answer: AlertTest;
};
"GET /v1/alerts/{id}": {
input: {
/** The id of an alert rule. */
id: string;
};
answer: Alert;
};
"PATCH /v1/alerts/{id}": {
input: {
/** The id of an alert rule. */
id: string;
body: AlertChange;
};
answer: Alert;
};
"DELETE /v1/alerts/{id}": {
input: {
/** The id of an alert rule. */
id: string;
};
answer: undefined;
};
"POST /v1/alerts/{id}/test": {
input: {
/** The id of an alert rule. */
id: string;
body?: TestAlertRequest;
};
answer: AlertTest;
};
"POST /v1/alerts/{id}/acknowledge": {
input: {
/** The id of an alert rule. */
id: string;
};
answer: Alert;
};
"POST /v1/alerts/{id}/mute": {
input: {
/** The id of an alert rule. */
id: string;
body: MuteAlertRequest;
};
answer: Alert;
};
"GET /v1/alerts/{id}/history": {
input: {
/** The id of an alert rule. */
id: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<AlertEntry>;
};
"GET /v1/api-metrics/markers": {
input?: {
/** Also what began before and was over later */
from?: string;
/** Exclusive */
to?: string;
/** What happened, such as deploy */
kind?: string;
/** How many items the page has at most */
limit?: number;
/** Where the page begins: from the Link header of the page before. */
cursor?: string;
};
answer: Array<Marker>;
};
"POST /v1/api-metrics/markers": {
input: {
body: NewMarker;
};
answer: Marker;
};
"DELETE /v1/api-metrics/markers/{id}": {
input: {
/** The id of a marker that was reported. */
id: string;
};
answer: undefined;
};
"GET /v1/views": {
input?: {
/** The page of the portal */
page?: "users" | "customers" | "requests" | "audit" | "keys" | "alerts" | "deliveries" | "metrics";
};
answer: Array<SavedView>;
};
"POST /v1/views": {
input: {
body: NewSavedView;
};
answer: SavedView;
};
"PATCH /v1/views/{id}": {
input: {
/** The id of a saved view. */
id: string;
body: SavedViewChange;
};
answer: SavedView;
};
"DELETE /v1/views/{id}": {
input: {
/** The id of a saved view. */
id: string;
};
answer: undefined;
};
}
