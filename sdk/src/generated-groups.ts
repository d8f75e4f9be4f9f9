// Generated from /openapi.json by lib/catalogue/testing/client-source. Do not edit.

import type { Method, PagedMethod } from "./methods.js";

/** The operations by what they are about. */
export interface Groups {
access: {
/** Tell whether a user or an API key may call an operation, or has a permission, and why. `POST /v1/access/explain` */
explain: Method<"POST /v1/access/explain">;
/** When a user or an API key used its permissions last. `GET /v1/access/last-use` */
getLastUse: Method<"GET /v1/access/last-use">;
/** List who holds a permission, by login, with the roles that give it. `GET /v1/access/holders` */
listHolders: PagedMethod<"GET /v1/access/holders">;
/** Tell whether credentials of the tenant are valid, whose they are and what they allow. `POST /v1/access/verify` */
verify: Method<"POST /v1/access/verify">;
/** Tell whether a credential of the tenant is active (RFC 7662). `POST /v1/access/introspect` */
introspect: Method<"POST /v1/access/introspect">;
/** List which keys, sessions, users and customers ended or changed since an item, oldest first: a feed to be polled, an hour long. `GET /v1/access/revocations` */
listRevocations: Method<"GET /v1/access/revocations">;
/** Report how often credentials were used at a service that reuses answers of POST /v1/access/verify. `POST /v1/access/usage` */
reportUsage: Method<"POST /v1/access/usage">;
};
account: {
/** Change one's own password and end one's other sessions in every tenant; API keys remain valid. `PUT /v1/user/password` */
changePassword: Method<"PUT /v1/user/password">;
/** Show one's own user. `GET /v1/user/profile` */
getProfile: Method<"GET /v1/user/profile">;
/** Show one's own preferences in this tenant. `GET /v1/user/preferences` */
getPreferences: Method<"GET /v1/user/preferences">;
/** Set one's own preferences in this tenant; what is left out is as the browser has it. `PUT /v1/user/preferences` */
setPreferences: Method<"PUT /v1/user/preferences">;
/** List what happened to one's own account in the last 30 days, newest first, without what was dismissed. `GET /v1/user/notices` */
listNotices: Method<"GET /v1/user/notices">;
/** Dismiss a notice. `POST /v1/user/notices/{id}/dismiss` */
dismissNotice: Method<"POST /v1/user/notices/{id}/dismiss">;
/** Export what this tenant keeps about oneself: profile with roles, preferences, sessions, API keys without secrets, comments, markers, saved views, and the audit entries by and about oneself. `GET /v1/user/profile/export` */
exportProfile: Method<"GET /v1/user/profile/export">;
/** Make a further sandbox tenant with its first site, and oneself its administrator; POST /v1/user/session/switch leads there. `POST /v1/user/sandboxes` */
createSandbox: Method<"POST /v1/user/sandboxes">;
};
alerts: {
/** List the alert rules with their state, newest first. `GET /v1/alerts` */
list: PagedMethod<"GET /v1/alerts">;
/** Create an alert rule: it is checked each minute. `POST /v1/alerts` */
create: Method<"POST /v1/alerts">;
/** When a rule would have fired in the last days, without saving it. `POST /v1/alerts/test` */
try: Method<"POST /v1/alerts/test">;
/** Show an alert rule with its state. `GET /v1/alerts/{id}` */
get: Method<"GET /v1/alerts/{id}">;
/** Change an alert rule; but for its name and recipients it starts anew. `PATCH /v1/alerts/{id}` */
update: Method<"PATCH /v1/alerts/{id}">;
/** Delete an alert rule with its history. `DELETE /v1/alerts/{id}` */
delete: Method<"DELETE /v1/alerts/{id}">;
/** When an alert rule would have fired in the last days. `POST /v1/alerts/{id}/test` */
test: Method<"POST /v1/alerts/{id}/test">;
/** Note that somebody takes care of the present firing. `POST /v1/alerts/{id}/acknowledge` */
acknowledge: Method<"POST /v1/alerts/{id}/acknowledge">;
/** Make no events of an alert rule until a time; its history goes on. `POST /v1/alerts/{id}/mute` */
mute: Method<"POST /v1/alerts/{id}/mute">;
/** List what happened to an alert rule, newest first: the newest 1,000 entries. `GET /v1/alerts/{id}/history` */
listEntries: PagedMethod<"GET /v1/alerts/{id}/history">;
};
audit: {
/** List the tenant's audit entries, newest first. `GET /v1/audit/events` */
listEvents: PagedMethod<"GET /v1/audit/events">;
/** All of the tenant's audit entries, newest first, as JSON, CSV or NDJSON. `GET /v1/audit/export` */
exportEvents: Method<"GET /v1/audit/export">;
/** List the signed heads of the tenant's audit trail, newest first. `GET /v1/audit/heads` */
listHeads: PagedMethod<"GET /v1/audit/heads">;
/** Verify the tenant's audit trail against its MACs and signed heads, and name the first entry that is broken. `GET /v1/audit/verify` */
verifyEvents: Method<"GET /v1/audit/verify">;
/** List the tenant's audit streams with their state, newest first. `GET /v1/audit/streams` */
listStreams: PagedMethod<"GET /v1/audit/streams">;
/** Create an audit stream: every audit entry is sent to it, in the order of the chain. `POST /v1/audit/streams` */
createStream: Method<"POST /v1/audit/streams">;
/** Show an audit stream with its state and newest attempts. `GET /v1/audit/streams/{id}` */
getStream: Method<"GET /v1/audit/streams/{id}">;
/** Change an audit stream; it keeps its kind and position. `PATCH /v1/audit/streams/{id}` */
updateStream: Method<"PATCH /v1/audit/streams/{id}">;
/** Delete an audit stream. `DELETE /v1/audit/streams/{id}` */
deleteStream: Method<"DELETE /v1/audit/streams/{id}">;
/** Give a stream over https a new secret; batches are signed with both for the overlap. `POST /v1/audit/streams/{id}/rotate` */
rotateStreamSecret: Method<"POST /v1/audit/streams/{id}/rotate">;
/** Enable an audit stream: it goes on after the last entry that was delivered. `POST /v1/audit/streams/{id}/enable` */
enableStream: Method<"POST /v1/audit/streams/{id}/enable">;
/** Disable an audit stream: nothing is sent until it is enabled. `POST /v1/audit/streams/{id}/disable` */
disableStream: Method<"POST /v1/audit/streams/{id}/disable">;
/** Send an entry audit-stream.tested once, and wait for what comes of it. `POST /v1/audit/streams/{id}/test` */
testStream: Method<"POST /v1/audit/streams/{id}/test">;
};
customers: {
/** List the customers of a site, newest first, personal data masked. `GET /v1/customers` */
list: PagedMethod<"GET /v1/customers">;
/** Create a customer of the site without a password. `POST /v1/customers` */
create: Method<"POST /v1/customers">;
/** Show a customer of the site, personal data masked. `GET /v1/customers/{id}` */
get: Method<"GET /v1/customers/{id}">;
/** Change a customer's profile by a merge patch. `PATCH /v1/customers/{id}` */
update: Method<"PATCH /v1/customers/{id}">;
/** Erase a customer on request: everything that the customer's own deletion removes. The audit trail keeps the id, the reason and who did it. `DELETE /v1/customers/{id}` */
erase: Method<"DELETE /v1/customers/{id}">;
/** Lock a customer out. `POST /v1/customers/{id}/lock` */
lock: Method<"POST /v1/customers/{id}/lock">;
/** Let a locked customer in again. `POST /v1/customers/{id}/unlock` */
unlock: Method<"POST /v1/customers/{id}/unlock">;
/** End every sign-in of a customer. `POST /v1/customers/{id}/end-sessions` */
endSessions: Method<"POST /v1/customers/{id}/end-sessions">;
/** Let a customer sign in at another site too; customer.manage is needed there as well. `PUT /v1/customers/{id}/sites/{site}` */
addToSite: Method<"PUT /v1/customers/{id}/sites/{site}">;
/** Take a customer from a site and end the sign-ins there. `DELETE /v1/customers/{id}/sites/{site}` */
removeFromSite: Method<"DELETE /v1/customers/{id}/sites/{site}">;
/** Show personal data of a customer: which, why and by whom is recorded. `POST /v1/customers/{id}/reveal` */
reveal: Method<"POST /v1/customers/{id}/reveal">;
/** Create a token by which a customer may set a new password, for the shop's own mailer; by API key only where the security policy allows it. `POST /v1/customers/{id}/password-token` */
createPasswordToken: Method<"POST /v1/customers/{id}/password-token">;
/** Export the customers of a site with their profiles. `POST /v1/customers/exports` */
export: Method<"POST /v1/customers/exports">;
/** List the imports of customers at a site of the last 30 days, newest first. `GET /v1/customers/imports` */
listImports: PagedMethod<"GET /v1/customers/imports">;
/** Import customers, one JSON object a line. `POST /v1/customers/imports` */
import: Method<"POST /v1/customers/imports">;
/** Show how far an import of customers has come. `GET /v1/customers/imports/{id}` */
getImport: Method<"GET /v1/customers/imports/{id}">;
/** Cancel an import of customers; those that were created stay. `POST /v1/customers/imports/{id}/cancel` */
cancelImport: Method<"POST /v1/customers/imports/{id}/cancel">;
/** List what became of each line of an import, in the order of the lines. `GET /v1/customers/imports/{id}/results` */
listImportResults: PagedMethod<"GET /v1/customers/imports/{id}/results">;
};
events: {
/** What happened in the tenant after an event, oldest first: a feed to be pulled, 30 days long. `GET /v1/events` */
list: Method<"GET /v1/events">;
};
keys: {
/** List one's own API keys, newest first. `GET /v1/user/profile/api-keys` */
list: PagedMethod<"GET /v1/user/profile/api-keys">;
/** Create an API key: its value is in this answer and nowhere afterwards. `POST /v1/user/profile/api-keys` */
create: Method<"POST /v1/user/profile/api-keys">;
/** Show one of one's own API keys, and who still uses its previous secret. `GET /v1/user/profile/api-keys/{apiKeyId}` */
get: Method<"GET /v1/user/profile/api-keys/{apiKeyId}">;
/** Rename one of one's own API keys, end it earlier, or limit how often and from where it works. `PATCH /v1/user/profile/api-keys/{apiKeyId}` */
update: Method<"PATCH /v1/user/profile/api-keys/{apiKeyId}">;
/** Revoke one of one's own API keys. `DELETE /v1/user/profile/api-keys/{apiKeyId}` */
revoke: Method<"DELETE /v1/user/profile/api-keys/{apiKeyId}">;
/** Give one of one's own API keys a new secret; the one before works on for the overlap. `POST /v1/user/profile/api-keys/{apiKeyId}/rotate` */
rotate: Method<"POST /v1/user/profile/api-keys/{apiKeyId}/rotate">;
/** End the secret before the last rotation now. `POST /v1/user/profile/api-keys/{apiKeyId}/retire-previous` */
retirePreviousSecret: Method<"POST /v1/user/profile/api-keys/{apiKeyId}/retire-previous">;
/** Suspend one of one's own API keys until it is resumed. `POST /v1/user/profile/api-keys/{apiKeyId}/suspend` */
suspend: Method<"POST /v1/user/profile/api-keys/{apiKeyId}/suspend">;
/** Resume a suspended API key; one that leaked must be rotated first. `POST /v1/user/profile/api-keys/{apiKeyId}/resume` */
resume: Method<"POST /v1/user/profile/api-keys/{apiKeyId}/resume">;
/** Leave the encrypted secret of one of one's own API keys for somebody to open once. `POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs` */
createHandOff: Method<"POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs">;
/** Withdraw a link to the secret of one of one's own API keys. `DELETE /v1/user/profile/api-keys/{apiKeyId}/hand-offs/{id}` */
withdrawHandOff: Method<"DELETE /v1/user/profile/api-keys/{apiKeyId}/hand-offs/{id}">;
};
managedKeys: {
/** Report an API key that strangers know: a live one is suspended. The answer never says whether it was. `POST /v1/user/api-keys/report-leak` */
reportLeak: Method<"POST /v1/user/api-keys/report-leak">;
/** List the API keys of the whole tenant with their owners, newest first. `GET /v1/user/api-keys` */
list: PagedMethod<"GET /v1/user/api-keys">;
/** Show an API key of the tenant, and who still uses its previous secret. `GET /v1/user/api-keys/{apiKeyId}` */
get: Method<"GET /v1/user/api-keys/{apiKeyId}">;
/** Limit how often and from where anybody's API key works. `PATCH /v1/user/api-keys/{apiKeyId}` */
update: Method<"PATCH /v1/user/api-keys/{apiKeyId}">;
/** Suspend anybody's API key. `POST /v1/user/api-keys/{apiKeyId}/suspend` */
suspend: Method<"POST /v1/user/api-keys/{apiKeyId}/suspend">;
/** Resume anybody's suspended API key; one that leaked must be rotated first. `POST /v1/user/api-keys/{apiKeyId}/resume` */
resume: Method<"POST /v1/user/api-keys/{apiKeyId}/resume">;
/** Revoke anybody's API key. `POST /v1/user/api-keys/{apiKeyId}/revoke` */
revoke: Method<"POST /v1/user/api-keys/{apiKeyId}/revoke">;
/** Give a service user's API key a new secret. `POST /v1/user/api-keys/{apiKeyId}/rotate` */
rotate: Method<"POST /v1/user/api-keys/{apiKeyId}/rotate">;
/** Give an API key to another user; its secret expires now. A service user's new secret is in this answer; a person rotates the key. `POST /v1/user/api-keys/{apiKeyId}/handover` */
handOver: Method<"POST /v1/user/api-keys/{apiKeyId}/handover">;
/** Create an API key for a service user. `POST /v1/user/{id}/api-keys` */
create: Method<"POST /v1/user/{id}/api-keys">;
/** Leave the encrypted secret of a service user's API key for somebody to open once. `POST /v1/user/api-keys/{apiKeyId}/hand-offs` */
createManagedHandOff: Method<"POST /v1/user/api-keys/{apiKeyId}/hand-offs">;
/** Withdraw a link to the secret of anybody's API key. `DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}` */
withdrawManagedHandOff: Method<"DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}">;
/** Open a hand-off by its token: its encrypted secret is in this answer and is deleted. `POST /v1/user/api-keys/hand-offs/open` */
openHandOff: Method<"POST /v1/user/api-keys/hand-offs/open">;
};
metrics: {
/** Count calls over time. `GET /v1/api-metrics/metrics/timeserie-counts` */
countCalls: Method<"GET /v1/api-metrics/metrics/timeserie-counts">;
/** Quantiles of the time calls took, in milliseconds. `GET /v1/api-metrics/metrics/timeserie-latencies` */
measureLatencies: Method<"GET /v1/api-metrics/metrics/timeserie-latencies">;
/** The groups with the most calls. `GET /v1/api-metrics/metrics/top` */
listTop: Method<"GET /v1/api-metrics/metrics/top">;
/** The same counts as a table: JSON, CSV or NDJSON. `GET /v1/api-metrics/metrics/export` */
exportCounts: Method<"GET /v1/api-metrics/metrics/export">;
/** What can be asked of the metrics. `GET /v1/api-metrics/metadata` */
getMetadata: Method<"GET /v1/api-metrics/metadata">;
/** Report calls that another service of the platform answered. `POST /v1/api-metrics/events` */
recordCalls: Method<"POST /v1/api-metrics/events">;
/** List what marks the charts of metrics, newest first. `GET /v1/api-metrics/markers` */
listMarkers: PagedMethod<"GET /v1/api-metrics/markers">;
/** Mark the charts of metrics with what happened, such as a deploy. `POST /v1/api-metrics/markers` */
createMarker: Method<"POST /v1/api-metrics/markers">;
/** Remove a marker that was reported. `DELETE /v1/api-metrics/markers/{id}` */
deleteMarker: Method<"DELETE /v1/api-metrics/markers/{id}">;
};
previews: {
/** Read a preview configuration, byte for byte. `GET /pim/preview/{key}/configuration` */
getConfiguration: Method<"GET /pim/preview/{key}/configuration">;
/** Update an existing preview configuration: the bytes are kept and answered as they are. `PUT /pim/preview/{key}/configuration` */
updateConfiguration: Method<"PUT /pim/preview/{key}/configuration">;
/** List the preview configurations of a site, newest first. `GET /pim/preview` */
list: PagedMethod<"GET /pim/preview">;
/** Create a preview configuration. `POST /pim/preview` */
create: Method<"POST /pim/preview">;
/** Show what is known beside a preview configuration: version, author, problems. `GET /pim/preview/{key}` */
get: Method<"GET /pim/preview/{key}">;
/** Delete a preview configuration; it can be restored for 30 days. `DELETE /pim/preview/{key}` */
delete: Method<"DELETE /pim/preview/{key}">;
/** Archive a preview configuration: it can be read, not changed. `POST /pim/preview/{key}/archive` */
archive: Method<"POST /pim/preview/{key}/archive">;
/** Take a preview configuration out of the archive. `POST /pim/preview/{key}/unarchive` */
unarchive: Method<"POST /pim/preview/{key}/unarchive">;
/** Undo the deletion of a preview configuration. `POST /pim/preview/{key}/restore` */
restore: Method<"POST /pim/preview/{key}/restore">;
/** List the problems that a configuration would have, without storing it. `POST /pim/preview/validate` */
validate: Method<"POST /pim/preview/validate">;
/** List the revisions of a preview configuration, newest first. `GET /pim/preview/{key}/revisions` */
listRevisions: PagedMethod<"GET /pim/preview/{key}/revisions">;
/** Read a revision of a preview configuration, byte for byte. `GET /pim/preview/{key}/revisions/{n}` */
getRevision: Method<"GET /pim/preview/{key}/revisions/{n}">;
/** Make an earlier revision the newest again. `POST /pim/preview/{key}/revisions/{n}/restore` */
restoreRevision: Method<"POST /pim/preview/{key}/revisions/{n}/restore">;
/** List the shares of a preview configuration, newest first. `GET /pim/preview/{key}/shares` */
listShares: PagedMethod<"GET /pim/preview/{key}/shares">;
/** Create a link by which people without a login read a preview configuration. `POST /pim/preview/{key}/shares` */
createShare: Method<"POST /pim/preview/{key}/shares">;
/** Revoke a share: its next request is rejected, everywhere. `DELETE /pim/preview/{key}/shares/{id}` */
deleteShare: Method<"DELETE /pim/preview/{key}/shares/{id}">;
/** Exchange the token of a share's link for an access token. `POST /pim/preview/{key}/shares/exchange` */
exchangeShare: Method<"POST /pim/preview/{key}/shares/exchange">;
/** List the comments on a preview configuration, newest first. `GET /pim/preview/{key}/comments` */
listComments: PagedMethod<"GET /pim/preview/{key}/comments">;
/** Comment on a preview configuration, or on a place in it. `POST /pim/preview/{key}/comments` */
createComment: Method<"POST /pim/preview/{key}/comments">;
/** Resolve a comment, or change one's own. `PATCH /pim/preview/{key}/comments/{id}` */
updateComment: Method<"PATCH /pim/preview/{key}/comments/{id}">;
/** Delete one's own comment; whoever may write the configuration deletes any. `DELETE /pim/preview/{key}/comments/{id}` */
deleteComment: Method<"DELETE /pim/preview/{key}/comments/{id}">;
};
releases: {
/** List the releases of a site, newest first. `GET /pim/releases` */
list: PagedMethod<"GET /pim/releases">;
/** Create a release: configurations whose stages change together; `at` schedules it. `POST /pim/releases` */
create: Method<"POST /pim/releases">;
/** Show a release. `GET /pim/releases/{id}` */
get: Method<"GET /pim/releases/{id}">;
/** Change a release before its end; new entries replace all and take the newest revisions. `PATCH /pim/releases/{id}` */
update: Method<"PATCH /pim/releases/{id}">;
/** Delete a release; what it published stays. `DELETE /pim/releases/{id}` */
delete: Method<"DELETE /pim/releases/{id}">;
/** Publish a release now, or schedule it: all its configurations change, or none. `POST /pim/releases/{id}/publish` */
publish: Method<"POST /pim/releases/{id}/publish">;
/** Cancel a release: it is never published. `POST /pim/releases/{id}/cancel` */
cancel: Method<"POST /pim/releases/{id}/cancel">;
};
requests: {
/** List the requests of the last seven days that failed, and a sample of those that succeeded, newest first. `GET /v1/requests` */
list: PagedMethod<"GET /v1/requests">;
/** Show a request of the log, step by step, and whether it would be allowed today. `GET /v1/requests/{id}` */
get: Method<"GET /v1/requests/{id}">;
};
sessions: {
/** Obtain a session. `POST /v1/user/session-login` */
login: Method<"POST /v1/user/session-login">;
/** Show who is calling, and what they may do. `GET /v1/user/session` */
getCurrent: Method<"GET /v1/user/session">;
/** End this session, and those opened from it by a switch. `DELETE /v1/user/session` */
endCurrent: Method<"DELETE /v1/user/session">;
/** Obtain a session in another tenant where one has roles; it ends no later than this one. `POST /v1/user/session/switch` */
switch: Method<"POST /v1/user/session/switch">;
/** List the tenants that one may switch to, this one too, newest first; nobody else sees the list. `GET /v1/user/tenants` */
listOwnTenants: PagedMethod<"GET /v1/user/tenants">;
/** List one's own sessions, newest first. `GET /v1/user/sessions` */
list: PagedMethod<"GET /v1/user/sessions">;
/** End all of one's own sessions in every tenant but this one, in the home tenant; API keys remain valid. `DELETE /v1/user/sessions` */
endOther: Method<"DELETE /v1/user/sessions">;
/** End one of one's own sessions, and those opened from it by a switch. `DELETE /v1/user/sessions/{ref}` */
end: Method<"DELETE /v1/user/sessions/{ref}">;
/** Obtain a management bearer that ends with this session. `POST /v1/user/portal-token` */
createPortalToken: Method<"POST /v1/user/portal-token">;
/** Confirm one's identity, for operations that need a recent proof of it. `POST /v1/user/session/step-up` */
stepUp: Method<"POST /v1/user/session/step-up">;
/** Begin to set up the second factor that the tenant requires: an authenticator app or a passkey. `POST /v1/user/session-login/set-up` */
beginSetUp: Method<"POST /v1/user/session-login/set-up">;
/** Set up the required second factor, and obtain a session and ten recovery codes. `POST /v1/user/session-login/set-up/confirm` */
finishSetUp: Method<"POST /v1/user/session-login/set-up/confirm">;
/** Obtain a session for a sign-in whose password was right and that needs a second factor. `POST /v1/user/session-login/second-factor` */
secondFactorLogin: Method<"POST /v1/user/session-login/second-factor">;
};
shopper: {
/** Obtain an anonymous bearer token. `POST /v1/customer/login/anonymous-token` */
createAnonymousToken: Method<"POST /v1/customer/login/anonymous-token">;
/** Register a customer of the tenant at this site. `POST /v1/customer/registration` */
register: Method<"POST /v1/customer/registration">;
/** Customer login. `POST /v1/customer/login/token` */
login: Method<"POST /v1/customer/login/token">;
/** Exchange a refresh token for a new pair. `POST /v1/customer/login/refresh-token` */
refreshTokens: Method<"POST /v1/customer/login/refresh-token">;
/** End this sign-in. `POST /v1/customer/logout` */
logout: Method<"POST /v1/customer/logout">;
/** Change one's own password and end one's other sign-ins. `POST /v1/customer/password` */
changePassword: Method<"POST /v1/customer/password">;
/** Set a new password by a token from the shop and end every sign-in. `POST /v1/customer/password-resets/confirm` */
confirmPasswordReset: Method<"POST /v1/customer/password-resets/confirm">;
/** Get own customer profile. `GET /v1/customer/profile` */
getProfile: Method<"GET /v1/customer/profile">;
/** Change one's own profile by a merge patch. `PATCH /v1/customer/profile` */
updateProfile: Method<"PATCH /v1/customer/profile">;
/** Delete one's own account with all that is kept of it. `DELETE /v1/customer/profile` */
deleteProfile: Method<"DELETE /v1/customer/profile">;
/** Export all that is kept of one's own account. `GET /v1/customer/profile/export` */
export: Method<"GET /v1/customer/profile/export">;
};
sites: {
/** List the tenant's sites, newest first. `GET /v1/tenant/sites` */
list: PagedMethod<"GET /v1/tenant/sites">;
/** Make a site. `POST /v1/tenant/sites` */
create: Method<"POST /v1/tenant/sites">;
/** Show a site. `GET /v1/tenant/sites/{id}` */
get: Method<"GET /v1/tenant/sites/{id}">;
/** Change a site's name, allowed origins, locales or currency; lists replace whole. `PATCH /v1/tenant/sites/{id}` */
update: Method<"PATCH /v1/tenant/sites/{id}">;
/** Delete a site that nothing belongs to: no customers, preview configurations or roles. `DELETE /v1/tenant/sites/{id}` */
delete: Method<"DELETE /v1/tenant/sites/{id}">;
};
sso: {
/** End the sessions of whom an identity provider signed out. `POST /v1/sso/{connection}/backchannel-logout` */
endSessionsByProvider: Method<"POST /v1/sso/{connection}/backchannel-logout">;
};
tenant: {
/** List the administrators who may always sign in with password and second factor, the first named first. `GET /v1/tenant/emergency-administrators` */
listEmergencyAdministrators: Method<"GET /v1/tenant/emergency-administrators">;
/** Name a tenant.admin as emergency administrator; at most three are. `PUT /v1/tenant/emergency-administrators/{id}` */
addEmergencyAdministrator: Method<"PUT /v1/tenant/emergency-administrators/{id}">;
/** Remove a person from the emergency administrators; the person stays as it is. `DELETE /v1/tenant/emergency-administrators/{id}` */
removeEmergencyAdministrator: Method<"DELETE /v1/tenant/emergency-administrators/{id}">;
/** Show the tenant. `GET /v1/tenant` */
get: Method<"GET /v1/tenant">;
/** Rename the tenant. `PATCH /v1/tenant` */
update: Method<"PATCH /v1/tenant">;
/** Show the lifetimes of the tenant's credentials, whether shoppers may register, and whether API keys may create password tokens. `GET /v1/tenant/security-policy` */
getSecurityPolicy: Method<"GET /v1/tenant/security-policy">;
/** Set the lifetimes of the tenant's credentials, which new ones follow, and whether shoppers may register; what is left out is as the product has it. `PUT /v1/tenant/security-policy` */
setSecurityPolicy: Method<"PUT /v1/tenant/security-policy">;
/** List the identity providers at which people of the tenant sign in, newest first. `GET /v1/tenant/connections` */
listConnections: Method<"GET /v1/tenant/connections">;
/** Connect an identity provider (OpenID Connect): disabled unless isEnabled says otherwise. `POST /v1/tenant/connections` */
createConnection: Method<"POST /v1/tenant/connections">;
/** Show an identity provider of the tenant. `GET /v1/tenant/connections/{id}` */
getConnection: Method<"GET /v1/tenant/connections/{id}">;
/** Change an identity provider; lists replace whole, and links belong to their issuer. `PATCH /v1/tenant/connections/{id}` */
updateConnection: Method<"PATCH /v1/tenant/connections/{id}">;
/** Delete an identity provider: nobody signs in there any more. `DELETE /v1/tenant/connections/{id}` */
deleteConnection: Method<"DELETE /v1/tenant/connections/{id}">;
/** Create or rotate the token with which an identity provider provisions people (SCIM). `POST /v1/tenant/connections/{id}/provisioning-token` */
createProvisioningToken: Method<"POST /v1/tenant/connections/{id}/provisioning-token">;
/** List the last 1,000 provisioning requests of a connection, newest first. `GET /v1/tenant/connections/{id}/provisioning-requests` */
listProvisioningRequests: PagedMethod<"GET /v1/tenant/connections/{id}/provisioning-requests">;
/** Show whether passwords can be limited to emergency administrators without a lock-out. `GET /v1/tenant/sign-in-safety` */
getSignInSafety: Method<"GET /v1/tenant/sign-in-safety">;
/** Show who would gain and lose roles by a list of groups. Changes nothing. `POST /v1/tenant/connections/{id}/group-roles/preview` */
previewGroupRoles: Method<"POST /v1/tenant/connections/{id}/group-roles/preview">;
/** How much of each thing the tenant may have, and has. `GET /v1/tenant/quotas` */
listQuotas: Method<"GET /v1/tenant/quotas">;
};
tenants: {
/** Make a sandbox tenant with its first site and its administrator. `POST /v1/signup` */
signUp: Method<"POST /v1/signup">;
/** List every tenant, newest first. `GET /v1/tenants` */
list: PagedMethod<"GET /v1/tenants">;
/** Make a tenant and invite its administrator: the answer holds the link, shown only here. `POST /v1/tenants` */
create: Method<"POST /v1/tenants">;
/** Show any tenant. `GET /v1/tenants/{id}` */
show: Method<"GET /v1/tenants/{id}">;
/** How much of each thing any tenant may have, and has. `GET /v1/tenants/{id}/quotas` */
listQuotas: Method<"GET /v1/tenants/{id}/quotas">;
/** Set a tenant's limit; null is the default again. `PUT /v1/tenants/{id}/quotas/{quota}` */
setQuota: Method<"PUT /v1/tenants/{id}/quotas/{quota}">;
};
users: {
/** List the sessions of a user, newest first. `GET /v1/user/{id}/sessions` */
listSessions: PagedMethod<"GET /v1/user/{id}/sessions">;
/** End every session of a user: in every tenant, when called in the user's home tenant. `DELETE /v1/user/{id}/sessions` */
endSessions: Method<"DELETE /v1/user/{id}/sessions">;
/** List one's own second factors that are set up, newest first, in the home tenant. `GET /v1/user/second-factors` */
listSecondFactors: Method<"GET /v1/user/second-factors">;
/** Begin to set up an authenticator app (TOTP): its secret is in this answer and nowhere afterwards. `POST /v1/user/second-factors` */
createSecondFactor: Method<"POST /v1/user/second-factors">;
/** Confirm an authenticator app by a code; the first one is answered ten recovery codes and ends one's other sessions. `POST /v1/user/second-factors/{id}/confirm` */
confirmSecondFactor: Method<"POST /v1/user/second-factors/{id}/confirm">;
/** Remove one of one's own second factors; the recovery codes go with the last one. `DELETE /v1/user/second-factors/{id}` */
deleteSecondFactor: Method<"DELETE /v1/user/second-factors/{id}">;
/** Show how many of one's own recovery codes are left; the codes are not shown again. `GET /v1/user/second-factors/recovery-codes` */
countRecoveryCodes: Method<"GET /v1/user/second-factors/recovery-codes">;
/** Replace one's own recovery codes by ten new ones. `POST /v1/user/second-factors/recovery-codes` */
createRecoveryCodes: Method<"POST /v1/user/second-factors/recovery-codes">;
/** Remove all second factors and recovery codes of a user who lost them, and end the user's sessions; the user is notified. `POST /v1/user/{id}/reset-second-factors` */
resetSecondFactors: Method<"POST /v1/user/{id}/reset-second-factors">;
/** Begin to add a passkey: the answer is for navigator.credentials.create(). `POST /v1/user/passkeys/options` */
createPasskeyOptions: Method<"POST /v1/user/passkeys/options">;
/** Add a passkey that navigator.credentials.create() made; the first second factor is answered ten recovery codes and ends one's other sessions. `POST /v1/user/passkeys` */
createPasskey: Method<"POST /v1/user/passkeys">;
/** Begin a sign-in by passkey: the answer is for navigator.credentials.get(). `POST /v1/user/passkey-login/options` */
passkeyLoginOptions: Method<"POST /v1/user/passkey-login/options">;
/** Obtain a session by a passkey, which counts as both factors, in one's home tenant. `POST /v1/user/passkey-login` */
passkeyLogin: Method<"POST /v1/user/passkey-login">;
/** List the users of a tenant. `GET /v1/user/list` */
list: PagedMethod<"GET /v1/user/list">;
/** Show a user of the tenant. `GET /v1/user/{id}` */
get: Method<"GET /v1/user/{id}">;
/** Change the name or the e-mail address of a user, in the user's home tenant. `PATCH /v1/user/{id}` */
update: Method<"PATCH /v1/user/{id}">;
/** List the roles, with what each permits. `GET /v1/user/roles` */
listRoles: Method<"GET /v1/user/roles">;
/** Lock a user: sessions, keys and tokens are refused within a second, and work again after unlocking. `POST /v1/user/{id}/lock` */
lock: Method<"POST /v1/user/{id}/lock">;
/** Unlock a user. `POST /v1/user/{id}/unlock` */
unlock: Method<"POST /v1/user/{id}/unlock">;
/** Deactivate a user in every tenant, by the home tenant. `POST /v1/user/{id}/deactivate` */
deactivate: Method<"POST /v1/user/{id}/deactivate">;
/** Make a deactivated user active again. `POST /v1/user/{id}/reactivate` */
reactivate: Method<"POST /v1/user/{id}/reactivate">;
/** Show the roles of a user in this tenant, with their ETag. `GET /v1/user/{id}/roles` */
getRoles: Method<"GET /v1/user/{id}/roles">;
/** Set the roles of a user in this tenant; If-Match is required, so that two managers do not overwrite each other. `PUT /v1/user/{id}/roles` */
setRoles: Method<"PUT /v1/user/{id}/roles">;
/** Make a user for a program, without a password. `POST /v1/user/service-users` */
createServiceUser: Method<"POST /v1/user/service-users">;
/** List roles that others asked for and oneself may grant, and one's own requests. `GET /v1/user/access-requests` */
listAccessRequests: Method<"GET /v1/user/access-requests">;
/** Ask for a role. `POST /v1/user/access-requests` */
askForAccess: Method<"POST /v1/user/access-requests">;
/** Withdraw one's own open request for a role. `DELETE /v1/user/access-requests/{id}` */
withdrawAccessRequest: Method<"DELETE /v1/user/access-requests/{id}">;
/** Grant a role that somebody asked for, for good or until a time, or decline it. `POST /v1/user/access-requests/{id}/decide` */
decideAccessRequest: Method<"POST /v1/user/access-requests/{id}/decide">;
/** Invite somebody: a session is answered a link to accept with a password, shown only here. `POST /v1/user/invitations` */
invite: Method<"POST /v1/user/invitations">;
/** Make a link with which a user sets a new password; for one who is invited, a new invitation. `POST /v1/user/{id}/password-reset` */
createPasswordReset: Method<"POST /v1/user/{id}/password-reset">;
/** Accept an invitation with a password. `POST /v1/user/invitations/accept` */
acceptInvitation: Method<"POST /v1/user/invitations/accept">;
/** Request a link to reset one's password by mail; the response never tells whether there is such a login. `POST /v1/user/password-resets` */
requestPasswordReset: Method<"POST /v1/user/password-resets">;
/** Set a new password with the token of a reset link; every session of the user ends. `POST /v1/user/password-resets/confirm` */
confirmPasswordReset: Method<"POST /v1/user/password-resets/confirm">;
/** List the active people of the tenant who have no second factor, by login. `GET /v1/user/without-second-factor` */
listWithoutSecondFactor: PagedMethod<"GET /v1/user/without-second-factor">;
/** Request a link to confirm one's e-mail address by mail. `POST /v1/user/email-confirmations` */
requestEmailConfirmation: Method<"POST /v1/user/email-confirmations">;
/** Confirm an e-mail address with the token of the link that was mailed to it. `POST /v1/user/email-confirmations/confirm` */
confirmEmailAddress: Method<"POST /v1/user/email-confirmations/confirm">;
/** Export what this tenant keeps about a user, for a request of the user; recorded. `GET /v1/user/{id}/export` */
export: Method<"GET /v1/user/{id}/export">;
/** Erase a deactivated user to an id, in every tenant and in the audit trail, which still verifies; cannot be undone. `POST /v1/user/{id}/erase` */
erase: Method<"POST /v1/user/{id}/erase">;
/** List which groups of identity providers give the user roles. `GET /v1/user/{id}/group-roles` */
listGroupRoles: Method<"GET /v1/user/{id}/group-roles">;
/** List the identity providers at which people of the tenant can sign in. `GET /v1/user/sign-in-connections` */
listSignInConnections: Method<"GET /v1/user/sign-in-connections">;
/** Show by what people of the tenant can sign in in addition to a password. `GET /v1/user/sign-in-methods` */
listSignInMethods: Method<"GET /v1/user/sign-in-methods">;
/** List the accounts at identity providers that sign one in, newest first. `GET /v1/user/identities` */
listIdentities: Method<"GET /v1/user/identities">;
/** Unlink an account at an identity provider: it no longer signs one in. `DELETE /v1/user/identities/{id}` */
deleteIdentity: Method<"DELETE /v1/user/identities/{id}">;
};
views: {
/** List one's own saved views and those shared in the tenant, by name. `GET /v1/views` */
list: Method<"GET /v1/views">;
/** Save the filters, order and columns of a page under a name. `POST /v1/views` */
create: Method<"POST /v1/views">;
/** Change a saved view, or make it one's default. `PATCH /v1/views/{id}` */
update: Method<"PATCH /v1/views/{id}">;
/** Delete a saved view. `DELETE /v1/views/{id}` */
delete: Method<"DELETE /v1/views/{id}">;
};
webhooks: {
/** List the tenant's webhooks, newest first. `GET /v1/webhooks` */
list: PagedMethod<"GET /v1/webhooks">;
/** Create a webhook: events of the given types are sent to it from now on. `POST /v1/webhooks` */
create: Method<"POST /v1/webhooks">;
/** Show a webhook. `GET /v1/webhooks/{id}` */
get: Method<"GET /v1/webhooks/{id}">;
/** Change a webhook; lists replace whole. `PATCH /v1/webhooks/{id}` */
update: Method<"PATCH /v1/webhooks/{id}">;
/** Delete a webhook with its deliveries. `DELETE /v1/webhooks/{id}` */
delete: Method<"DELETE /v1/webhooks/{id}">;
/** Give a webhook a new secret; deliveries are signed with both for the overlap. `POST /v1/webhooks/{id}/rotate` */
rotateSecret: Method<"POST /v1/webhooks/{id}/rotate">;
/** Enable a webhook: it goes on with the first event of the last 30 days that it has not got. `POST /v1/webhooks/{id}/enable` */
enable: Method<"POST /v1/webhooks/{id}/enable">;
/** Disable a webhook: nothing is sent to it until it is enabled. `POST /v1/webhooks/{id}/disable` */
disable: Method<"POST /v1/webhooks/{id}/disable">;
/** Send an event of the type webhook.tested once, and wait for the response. `POST /v1/webhooks/{id}/test` */
test: Method<"POST /v1/webhooks/{id}/test">;
/** List the deliveries of a webhook of the last 30 days, newest first. `GET /v1/webhooks/{id}/deliveries` */
listDeliveries: PagedMethod<"GET /v1/webhooks/{id}/deliveries">;
/** Show a delivery with the body as it is sent. `GET /v1/webhooks/{id}/deliveries/{deliveryId}` */
getDelivery: Method<"GET /v1/webhooks/{id}/deliveries/{deliveryId}">;
/** Send an event to a webhook again, under the same id. `POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver` */
redeliverEvent: Method<"POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver">;
/** Send the events of a range of time to a webhook again, under the same ids. `POST /v1/webhooks/{id}/replay` */
replayEvents: Method<"POST /v1/webhooks/{id}/replay">;
};
}

export const operations: { [Group in keyof Groups]: Record<keyof Groups[Group], string> } = {
access: {
explain: "POST /v1/access/explain repeatable",
getLastUse: "GET /v1/access/last-use",
listHolders: "GET /v1/access/holders paged",
verify: "POST /v1/access/verify",
introspect: "POST /v1/access/introspect once application/x-www-form-urlencoded",
listRevocations: "GET /v1/access/revocations",
reportUsage: "POST /v1/access/usage repeatable",
},
account: {
changePassword: "PUT /v1/user/password",
getProfile: "GET /v1/user/profile",
getPreferences: "GET /v1/user/preferences",
setPreferences: "PUT /v1/user/preferences",
listNotices: "GET /v1/user/notices",
dismissNotice: "POST /v1/user/notices/{id}/dismiss repeatable",
exportProfile: "GET /v1/user/profile/export",
createSandbox: "POST /v1/user/sandboxes repeatable",
},
alerts: {
list: "GET /v1/alerts paged",
create: "POST /v1/alerts repeatable",
try: "POST /v1/alerts/test",
get: "GET /v1/alerts/{id}",
update: "PATCH /v1/alerts/{id}",
delete: "DELETE /v1/alerts/{id}",
test: "POST /v1/alerts/{id}/test",
acknowledge: "POST /v1/alerts/{id}/acknowledge repeatable",
mute: "POST /v1/alerts/{id}/mute repeatable",
listEntries: "GET /v1/alerts/{id}/history paged",
},
audit: {
listEvents: "GET /v1/audit/events paged",
exportEvents: "GET /v1/audit/export",
listHeads: "GET /v1/audit/heads paged",
verifyEvents: "GET /v1/audit/verify",
listStreams: "GET /v1/audit/streams paged",
createStream: "POST /v1/audit/streams repeatable",
getStream: "GET /v1/audit/streams/{id}",
updateStream: "PATCH /v1/audit/streams/{id}",
deleteStream: "DELETE /v1/audit/streams/{id}",
rotateStreamSecret: "POST /v1/audit/streams/{id}/rotate repeatable",
enableStream: "POST /v1/audit/streams/{id}/enable repeatable",
disableStream: "POST /v1/audit/streams/{id}/disable repeatable",
testStream: "POST /v1/audit/streams/{id}/test",
},
customers: {
list: "GET /v1/customers paged",
create: "POST /v1/customers repeatable",
get: "GET /v1/customers/{id}",
update: "PATCH /v1/customers/{id}",
erase: "DELETE /v1/customers/{id}",
lock: "POST /v1/customers/{id}/lock repeatable",
unlock: "POST /v1/customers/{id}/unlock repeatable",
endSessions: "POST /v1/customers/{id}/end-sessions repeatable",
addToSite: "PUT /v1/customers/{id}/sites/{site}",
removeFromSite: "DELETE /v1/customers/{id}/sites/{site}",
reveal: "POST /v1/customers/{id}/reveal repeatable",
createPasswordToken: "POST /v1/customers/{id}/password-token repeatable",
export: "POST /v1/customers/exports",
listImports: "GET /v1/customers/imports paged",
import: "POST /v1/customers/imports once application/x-ndjson",
getImport: "GET /v1/customers/imports/{id}",
cancelImport: "POST /v1/customers/imports/{id}/cancel repeatable",
listImportResults: "GET /v1/customers/imports/{id}/results paged",
},
events: {
list: "GET /v1/events",
},
keys: {
list: "GET /v1/user/profile/api-keys paged",
create: "POST /v1/user/profile/api-keys repeatable",
get: "GET /v1/user/profile/api-keys/{apiKeyId}",
update: "PATCH /v1/user/profile/api-keys/{apiKeyId}",
revoke: "DELETE /v1/user/profile/api-keys/{apiKeyId}",
rotate: "POST /v1/user/profile/api-keys/{apiKeyId}/rotate repeatable",
retirePreviousSecret: "POST /v1/user/profile/api-keys/{apiKeyId}/retire-previous repeatable",
suspend: "POST /v1/user/profile/api-keys/{apiKeyId}/suspend repeatable",
resume: "POST /v1/user/profile/api-keys/{apiKeyId}/resume repeatable",
createHandOff: "POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs repeatable",
withdrawHandOff: "DELETE /v1/user/profile/api-keys/{apiKeyId}/hand-offs/{id}",
},
managedKeys: {
reportLeak: "POST /v1/user/api-keys/report-leak",
list: "GET /v1/user/api-keys paged",
get: "GET /v1/user/api-keys/{apiKeyId}",
update: "PATCH /v1/user/api-keys/{apiKeyId}",
suspend: "POST /v1/user/api-keys/{apiKeyId}/suspend repeatable",
resume: "POST /v1/user/api-keys/{apiKeyId}/resume repeatable",
revoke: "POST /v1/user/api-keys/{apiKeyId}/revoke repeatable",
rotate: "POST /v1/user/api-keys/{apiKeyId}/rotate repeatable",
handOver: "POST /v1/user/api-keys/{apiKeyId}/handover repeatable",
create: "POST /v1/user/{id}/api-keys repeatable",
createManagedHandOff: "POST /v1/user/api-keys/{apiKeyId}/hand-offs repeatable",
withdrawManagedHandOff: "DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}",
openHandOff: "POST /v1/user/api-keys/hand-offs/open",
},
metrics: {
countCalls: "GET /v1/api-metrics/metrics/timeserie-counts",
measureLatencies: "GET /v1/api-metrics/metrics/timeserie-latencies",
listTop: "GET /v1/api-metrics/metrics/top",
exportCounts: "GET /v1/api-metrics/metrics/export",
getMetadata: "GET /v1/api-metrics/metadata",
recordCalls: "POST /v1/api-metrics/events repeatable",
listMarkers: "GET /v1/api-metrics/markers paged",
createMarker: "POST /v1/api-metrics/markers repeatable",
deleteMarker: "DELETE /v1/api-metrics/markers/{id}",
},
previews: {
getConfiguration: "GET /pim/preview/{key}/configuration",
updateConfiguration: "PUT /pim/preview/{key}/configuration",
list: "GET /pim/preview paged",
create: "POST /pim/preview repeatable",
get: "GET /pim/preview/{key}",
delete: "DELETE /pim/preview/{key}",
archive: "POST /pim/preview/{key}/archive repeatable",
unarchive: "POST /pim/preview/{key}/unarchive repeatable",
restore: "POST /pim/preview/{key}/restore repeatable",
validate: "POST /pim/preview/validate repeatable",
listRevisions: "GET /pim/preview/{key}/revisions paged",
getRevision: "GET /pim/preview/{key}/revisions/{n}",
restoreRevision: "POST /pim/preview/{key}/revisions/{n}/restore repeatable",
listShares: "GET /pim/preview/{key}/shares paged",
createShare: "POST /pim/preview/{key}/shares repeatable",
deleteShare: "DELETE /pim/preview/{key}/shares/{id}",
exchangeShare: "POST /pim/preview/{key}/shares/exchange",
listComments: "GET /pim/preview/{key}/comments paged",
createComment: "POST /pim/preview/{key}/comments repeatable",
updateComment: "PATCH /pim/preview/{key}/comments/{id}",
deleteComment: "DELETE /pim/preview/{key}/comments/{id}",
},
releases: {
list: "GET /pim/releases paged",
create: "POST /pim/releases repeatable",
get: "GET /pim/releases/{id}",
update: "PATCH /pim/releases/{id}",
delete: "DELETE /pim/releases/{id}",
publish: "POST /pim/releases/{id}/publish repeatable",
cancel: "POST /pim/releases/{id}/cancel repeatable",
},
requests: {
list: "GET /v1/requests paged",
get: "GET /v1/requests/{id}",
},
sessions: {
login: "POST /v1/user/session-login",
getCurrent: "GET /v1/user/session",
endCurrent: "DELETE /v1/user/session",
switch: "POST /v1/user/session/switch repeatable",
listOwnTenants: "GET /v1/user/tenants paged",
list: "GET /v1/user/sessions paged",
endOther: "DELETE /v1/user/sessions",
end: "DELETE /v1/user/sessions/{ref}",
createPortalToken: "POST /v1/user/portal-token repeatable",
stepUp: "POST /v1/user/session/step-up repeatable",
beginSetUp: "POST /v1/user/session-login/set-up",
finishSetUp: "POST /v1/user/session-login/set-up/confirm",
secondFactorLogin: "POST /v1/user/session-login/second-factor",
},
shopper: {
createAnonymousToken: "POST /v1/customer/login/anonymous-token",
register: "POST /v1/customer/registration repeatable",
login: "POST /v1/customer/login/token",
refreshTokens: "POST /v1/customer/login/refresh-token",
logout: "POST /v1/customer/logout repeatable",
changePassword: "POST /v1/customer/password repeatable",
confirmPasswordReset: "POST /v1/customer/password-resets/confirm repeatable",
getProfile: "GET /v1/customer/profile",
updateProfile: "PATCH /v1/customer/profile",
deleteProfile: "DELETE /v1/customer/profile",
export: "GET /v1/customer/profile/export",
},
sites: {
list: "GET /v1/tenant/sites paged",
create: "POST /v1/tenant/sites repeatable",
get: "GET /v1/tenant/sites/{id}",
update: "PATCH /v1/tenant/sites/{id}",
delete: "DELETE /v1/tenant/sites/{id}",
},
sso: {
endSessionsByProvider: "POST /v1/sso/{connection}/backchannel-logout once application/x-www-form-urlencoded",
},
tenant: {
listEmergencyAdministrators: "GET /v1/tenant/emergency-administrators",
addEmergencyAdministrator: "PUT /v1/tenant/emergency-administrators/{id}",
removeEmergencyAdministrator: "DELETE /v1/tenant/emergency-administrators/{id}",
get: "GET /v1/tenant",
update: "PATCH /v1/tenant",
getSecurityPolicy: "GET /v1/tenant/security-policy",
setSecurityPolicy: "PUT /v1/tenant/security-policy",
listConnections: "GET /v1/tenant/connections",
createConnection: "POST /v1/tenant/connections repeatable",
getConnection: "GET /v1/tenant/connections/{id}",
updateConnection: "PATCH /v1/tenant/connections/{id}",
deleteConnection: "DELETE /v1/tenant/connections/{id}",
createProvisioningToken: "POST /v1/tenant/connections/{id}/provisioning-token repeatable",
listProvisioningRequests: "GET /v1/tenant/connections/{id}/provisioning-requests paged",
getSignInSafety: "GET /v1/tenant/sign-in-safety",
previewGroupRoles: "POST /v1/tenant/connections/{id}/group-roles/preview",
listQuotas: "GET /v1/tenant/quotas",
},
tenants: {
signUp: "POST /v1/signup",
list: "GET /v1/tenants paged",
create: "POST /v1/tenants repeatable",
show: "GET /v1/tenants/{id}",
listQuotas: "GET /v1/tenants/{id}/quotas",
setQuota: "PUT /v1/tenants/{id}/quotas/{quota}",
},
users: {
listSessions: "GET /v1/user/{id}/sessions paged",
endSessions: "DELETE /v1/user/{id}/sessions",
listSecondFactors: "GET /v1/user/second-factors",
createSecondFactor: "POST /v1/user/second-factors repeatable",
confirmSecondFactor: "POST /v1/user/second-factors/{id}/confirm repeatable",
deleteSecondFactor: "DELETE /v1/user/second-factors/{id}",
countRecoveryCodes: "GET /v1/user/second-factors/recovery-codes",
createRecoveryCodes: "POST /v1/user/second-factors/recovery-codes repeatable",
resetSecondFactors: "POST /v1/user/{id}/reset-second-factors repeatable",
createPasskeyOptions: "POST /v1/user/passkeys/options",
createPasskey: "POST /v1/user/passkeys repeatable",
passkeyLoginOptions: "POST /v1/user/passkey-login/options",
passkeyLogin: "POST /v1/user/passkey-login",
list: "GET /v1/user/list paged",
get: "GET /v1/user/{id}",
update: "PATCH /v1/user/{id}",
listRoles: "GET /v1/user/roles",
lock: "POST /v1/user/{id}/lock repeatable",
unlock: "POST /v1/user/{id}/unlock repeatable",
deactivate: "POST /v1/user/{id}/deactivate repeatable",
reactivate: "POST /v1/user/{id}/reactivate repeatable",
getRoles: "GET /v1/user/{id}/roles",
setRoles: "PUT /v1/user/{id}/roles",
createServiceUser: "POST /v1/user/service-users repeatable",
listAccessRequests: "GET /v1/user/access-requests",
askForAccess: "POST /v1/user/access-requests repeatable",
withdrawAccessRequest: "DELETE /v1/user/access-requests/{id}",
decideAccessRequest: "POST /v1/user/access-requests/{id}/decide repeatable",
invite: "POST /v1/user/invitations repeatable",
createPasswordReset: "POST /v1/user/{id}/password-reset repeatable",
acceptInvitation: "POST /v1/user/invitations/accept",
requestPasswordReset: "POST /v1/user/password-resets",
confirmPasswordReset: "POST /v1/user/password-resets/confirm",
listWithoutSecondFactor: "GET /v1/user/without-second-factor paged",
requestEmailConfirmation: "POST /v1/user/email-confirmations repeatable",
confirmEmailAddress: "POST /v1/user/email-confirmations/confirm",
export: "GET /v1/user/{id}/export",
erase: "POST /v1/user/{id}/erase repeatable",
listGroupRoles: "GET /v1/user/{id}/group-roles",
listSignInConnections: "GET /v1/user/sign-in-connections",
listSignInMethods: "GET /v1/user/sign-in-methods",
listIdentities: "GET /v1/user/identities",
deleteIdentity: "DELETE /v1/user/identities/{id}",
},
views: {
list: "GET /v1/views",
create: "POST /v1/views repeatable",
update: "PATCH /v1/views/{id}",
delete: "DELETE /v1/views/{id}",
},
webhooks: {
list: "GET /v1/webhooks paged",
create: "POST /v1/webhooks repeatable",
get: "GET /v1/webhooks/{id}",
update: "PATCH /v1/webhooks/{id}",
delete: "DELETE /v1/webhooks/{id}",
rotateSecret: "POST /v1/webhooks/{id}/rotate repeatable",
enable: "POST /v1/webhooks/{id}/enable repeatable",
disable: "POST /v1/webhooks/{id}/disable repeatable",
test: "POST /v1/webhooks/{id}/test",
listDeliveries: "GET /v1/webhooks/{id}/deliveries paged",
getDelivery: "GET /v1/webhooks/{id}/deliveries/{deliveryId}",
redeliverEvent: "POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver repeatable",
replayEvents: "POST /v1/webhooks/{id}/replay repeatable",
},
};
