import { type EventKind, eventKinds } from "./values";

/**
 * The types of events, declared once: /docs/events, OpenAPI, the checks of `type` and the examples read this table. A test compares
 * it with the actions that are recorded.
 */
export interface EventType {
  /** The type without the prefix that every event type has. */
  type: string;
  description: string;
  /** The kind of its subject. */
  target: EventKind;
  /** Names of the fields that it may list as changed. */
  changes: readonly string[];
}

export const typePrefix = "gatehouse.";

type Line = [name: string, description: string, ...changes: string[]];

const ofTarget = (target: EventType["target"], lines: readonly Line[]): EventType[] =>
  lines.map(([name, description, ...changes]) => ({
    type: `${target}.${name}`,
    description,
    target,
    changes,
  }));

const users: Line[] = [
  ["created", "A user was created or invited.", "login", "roles", "state"],
  ["updated", "A user's login, name or e-mail address changed.", "login", "name", "emailAddress"],
  ["roles-changed", "A user's roles changed.", "roles"],
  ["access-asked", "A user asked for a role.", "role", "site"],
  ["access-withdrawn", "A user withdrew a request for a role.", "role", "site"],
  ["access-declined", "A role that a user asked for was declined.", "role", "site"],
  ["locked", "A user was locked.", "lock", "reason"],
  ["unlocked", "A user was unlocked.", "lock"],
  ["deactivated", "A user was deactivated.", "state"],
  ["reactivated", "A user was reactivated.", "state"],
  ["restored", "A user's former state was restored.", "state"],
  ["erased", "A user was erased to an id."],
  ["exported", "A user's personal data were exported."],
  ["email-confirmed", "A person confirmed the e-mail address by a link.", "emailAddress"],
  ["invitation-accepted", "A person accepted an invitation.", "state"],
  ["member-added", "A person of another tenant became a member.", "roles"],
  ["membership-noted", "A person became a member of another tenant."],
  ["password-changed", "A user changed the password."],
  ["password-link-made", "A link to set a password was created."],
  ["password-reset", "A user's password was reset."],
  ["password-reset-confirmed", "A user set a new password by a link."],
  ["preferences-changed", "A user changed the preferences of the portal."],
  ["sessions-ended", "Sessions of a user were ended.", "sessions"],
  ["second-factor-begun", "A user began to set up a second factor.", "secondFactor"],
  ["second-factor-added", "A user set up a second factor.", "secondFactor"],
  ["second-factor-removed", "A user removed a second factor.", "secondFactor"],
  ["second-factors-reset", "A user's second factors were reset.", "secondFactors", "reason"],
  ["identity-linked", "A user linked an account at an identity provider.", "identity"],
  ["identity-unlinked", "A user unlinked an account at an identity provider.", "identity"],
  ["emergency-administrator-added", "A user was named as emergency administrator."],
  ["emergency-administrator-removed", "A user is no emergency administrator any more."],
  ["recovery-codes-created", "A user's recovery codes were replaced.", "recoveryCodes"],
  ["recovery-code-used", "A user signed in with a recovery code.", "recoveryCodes"],
  ["passkey-count-fell", "A passkey was used whose count of uses fell.", "passkey", "signatures"],
];

const sessions: Line[] = [
  ["created", "A user signed in."],
  ["ended", "A session was ended."],
  ["stepped-up", "A user confirmed their identity for a sensitive operation.", "authenticatedBy"],
  ["login-failed", "A sign-in failed."],
  ["second-factor-failed", "After a right password, or in a session, the second factor was wrong."],
];

const apiKeys: Line[] = [
  ["created", "An API key was created.", "name", "validTo"],
  ["updated", "An API key's name, expiry or limits changed.", "name", "validTo"],
  ["rotated", "An API key got a new secret.", "validTo"],
  ["previous-retired", "The previous secret of an API key was retired."],
  ["suspended", "An API key was suspended."],
  ["resumed", "An API key was resumed."],
  ["revoked", "An API key was revoked."],
  ["handed-over", "An API key got another owner.", "owner"],
  [
    "hand-off-created",
    "A one-time link to an API key's secret was created.",
    "handOff",
    "expiresAt",
  ],
  ["hand-off-opened", "A one-time link to an API key's secret was opened.", "handOff"],
  ["hand-off-withdrawn", "A one-time link to an API key's secret was withdrawn.", "handOff"],
  ["leak-reported", "A leak of an API key was reported."],
];

const tenants: Line[] = [
  ["created", "The tenant was created.", "name", "kind", "sites"],
  ["updated", "The tenant was renamed.", "name"],
  ["quota-changed", "Support changed a quota of the tenant."],
  ["emergency-sign-in", "An emergency administrator signed in with a password."],
  ["sample-traffic-added", "Sample traffic was added to the sandbox."],
  ["sample-traffic-removed", "Sample traffic was removed from the sandbox."],
  ["security-policy-changed", "The tenant's security policy changed.", "sessionIdle"],
];

const sites: Line[] = [
  ["created", "A site was created.", "name"],
  ["updated", "A site changed.", "name", "allowedOrigins"],
  ["deleted", "A site was deleted.", "name"],
];

const previews: Line[] = [
  ["created", "A preview configuration was created.", "revision", "hash"],
  ["updated", "A preview configuration was written.", "revision", "hash"],
  ["archived", "A preview configuration was archived."],
  ["unarchived", "A preview configuration was taken out of the archive."],
  ["deleted", "A preview configuration was deleted."],
  ["restored", "A deleted preview configuration was restored."],
  ["shared", "A link to a preview configuration was created.", "share", "validTo"],
  ["share-revoked", "A link to a preview configuration was revoked.", "share"],
  ["commented", "Somebody commented on a preview configuration.", "comment", "pointer"],
  ["comment-changed", "A comment was changed or resolved.", "comment", "resolved"],
  ["comment-deleted", "A comment was deleted.", "comment"],
  ["revision-restored", "An earlier revision became the current one.", "revision", "hash"],
];

const releases: Line[] = [
  ["created", "A release of preview configurations was created.", "name", "keys", "at"],
  ["updated", "A release was changed.", "name", "keys"],
  ["scheduled", "A release was scheduled.", "at"],
  ["published", "A release was published.", "keys"],
  ["failed", "A release was due and could not be published.", "problems"],
  ["cancelled", "A release was cancelled."],
  ["deleted", "A release was deleted.", "name"],
];

const customers: Line[] = [
  ["registered", "A customer registered, or staff created or imported one."],
  ["updated", "A customer or staff changed the profile.", "name", "emailAddresses"],
  ["signed-in", "A customer signed in."],
  ["password-changed", "A customer changed the password, or set a new one by a token."],
  ["deleted", "A customer deleted the account."],
  ["erased", "Staff erased a customer on request."],
  ["locked", "Staff locked a customer.", "lock", "reason", "until"],
  ["unlocked", "Staff unlocked a customer.", "lock"],
  ["sessions-ended", "Staff ended a customer's sign-ins.", "families"],
  ["sites-changed", "A customer was added to sites or removed from them.", "sites"],
  ["family-revoked", "A refresh token was used twice: its sign-in was ended."],
  ["password-token-created", "A token to set a customer's password was created."],
  ["revealed", "Staff read personal data of a customer.", "fields", "reason"],
];

const imports: Line[] = [
  ["created", "Staff began an import of customers.", "lines"],
  ["finished", "An import of customers came to its end.", "created", "failed"],
  ["cancelled", "Staff cancelled an import of customers.", "created", "failed"],
];

const webhooks: Line[] = [
  ["created", "A webhook was created.", "url", "types", "site"],
  ["updated", "A webhook was changed.", "url", "types", "site", "description"],
  ["deleted", "A webhook was deleted.", "url"],
  ["rotated", "A webhook got a new secret.", "previousValidTo"],
  ["enabled", "A webhook was enabled."],
  ["disabled", "A webhook was disabled, by somebody or because it failed.", "reason"],
  ["redelivered", "Somebody had an event delivered again.", "event"],
  ["replayed", "Somebody had the events of a range delivered again.", "from", "to", "events"],
  ["tested", "Somebody tested a webhook; also the type of the test itself."],
];

const auditStreams: Line[] = [
  ["created", "An audit stream was created.", "kind", "leadsTo"],
  ["updated", "An audit stream was changed.", "url", "description"],
  ["deleted", "An audit stream was deleted.", "kind", "position"],
  ["rotated", "An audit stream got a new secret.", "previousValidTo"],
  ["enabled", "An audit stream was enabled."],
  ["disabled", "An audit stream was disabled, by somebody or because it failed.", "reason"],
  ["tested", "Somebody tested an audit stream."],
  ["entries-missed", "Entries were deleted by age before they were delivered.", "first", "last"],
];

const found = ["measure", "threshold", "value", "shortValue", "calls", "site", "reason"] as const;

const alerts: Line[] = [
  ["created", "An alert rule was created.", "name", "measure", "filter", "threshold"],
  ["updated", "An alert rule was changed.", "name", "measure", "filter", "threshold"],
  ["deleted", "An alert rule was deleted.", "name"],
  ["fired", "An alert rule fired.", ...found.slice(0, -1)],
  ["resolved", "An alert rule fires no more.", ...found],
  ["acknowledged", "Somebody takes care of a firing alert rule."],
  ["muted", "Somebody muted an alert rule.", "mutedUntil"],
  ["unmuted", "Somebody ended the muting of an alert rule."],
];

/** Types whose values are only numbers and ids from the service, so every reader of events may see them. */
export const typesWithValues: readonly string[] = ["alert.fired", "alert.resolved"];

const markers: Line[] = [
  ["created", "A marker was added to the charts of metrics.", "at", "kind"],
  ["deleted", "A marker was removed from the charts of metrics.", "at", "kind"],
];

const views: Line[] = [
  ["created", "A view of a page of the portal was saved.", "page", "shared", "home"],
  ["updated", "A saved view was changed.", "name", "query", "shared", "home", "default"],
  ["deleted", "A saved view was deleted."],
];

const connections: Line[] = [
  ["created", "An identity provider was connected.", "issuer", "clientId", "isEnabled"],
  ["updated", "A connection to an identity provider changed.", "issuer", "clientId", "isEnabled"],
  ["deleted", "A connection to an identity provider was deleted.", "issuer", "clientId"],
  ["provisioning-token-created", "A token for provisioning was created.", "previousValidTo"],
  ["group-created", "An identity provider created a group.", "group", "members"],
  ["group-updated", "An identity provider changed a group.", "group", "members"],
  ["group-deleted", "An identity provider deleted a group.", "group"],
  ["sessions-ended", "Sessions ended with the connection of their sign-in.", "sessions"],
];

const linesOf: Readonly<Record<EventKind, readonly Line[]>> = {
  user: users,
  session: sessions,
  "api-key": apiKeys,
  tenant: tenants,
  site: sites,
  preview: previews,
  release: releases,
  customer: customers,
  "customer-import": imports,
  webhook: webhooks,
  "audit-stream": auditStreams,
  connection: connections,
  alert: alerts,
  marker: markers,
  view: views,
};

export const eventTypes: readonly EventType[] = [
  ...eventKinds.flatMap((kind) => ofTarget(kind, linesOf[kind])),
  {
    type: "customer.searched",
    description: "Staff searched for customers of a site.",
    target: "site",
    changes: ["found"],
  },
  {
    type: "customer.exported",
    description: "Staff exported the customers of a site.",
    target: "site",
    changes: ["reason"],
  },
];
