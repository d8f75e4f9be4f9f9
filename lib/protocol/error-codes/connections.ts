import { type CodeEntry, code } from "./entry";

/** Codes of connections to identity providers, of sign-ins there, and of who may sign in by other methods. */
export const connectionCodes = {
  "connection.not-found": code(
    404,
    "There is no such connection to an identity provider in this tenant.",
    "Check the id.",
  ),
  "connection.limit-reached": code(
    409,
    "The tenant has as many connections as it may have.",
    "Delete one first. reason is the limit.",
  ),
  "connection.needed": code(
    409,
    "It is the last enabled connection, and people sign in only there.",
    "Let everybody sign in with a password again by the security policy, or enable another connection first.",
  ),
  "identity.not-found": code(
    404,
    "You have linked no such account at an identity provider.",
    "List your linked accounts, and check the id.",
  ),
  "identity.only-way": code(
    409,
    "The account at the identity provider is the user's only way to sign in.",
    "Set a password first: an administrator can send a link for it.",
  ),
  "auth.password-not-accepted": code(
    403,
    "The tenant's people sign in at its identity provider, not with a password.",
    "Open the address in reason in a browser. Emergency administrators still use a password and a second factor.",
  ),
  "auth.passkey-not-accepted": code(
    403,
    "The tenant's people do not sign in with only a passkey.",
    "Open the address in reason in a browser, and sign in with what it offers.",
  ),
  "sign-out.token-invalid": code(
    400,
    "The logout token was not accepted.",
    "Send one that the provider of the connection signed for its client ID within the last five minutes, and each only once. The log of the service has the reason under the request id.",
  ),
  "sign-in.not-safe": code(
    409,
    "The policy could lock everybody out.",
    "Do what reason names: connectionSignIn, that a tenant.admin signs in through an enabled connection within the hour before; emergencyAdministrator, that one with a password and a second factor is named.",
  ),
  "emergency-administrator.limit-reached": code(
    409,
    "The tenant has as many emergency administrators as it may have.",
    "Remove one first. reason is the limit.",
  ),
  "emergency-administrator.unsuitable": code(
    409,
    "The user cannot be an emergency administrator.",
    "Choose a person whose home is this tenant, with the role in reason for the whole tenant.",
  ),
  "emergency-administrator.not-found": code(
    404,
    "The user is no emergency administrator.",
    "List the emergency administrators of the tenant.",
  ),
  "emergency-administrator.last": code(
    409,
    "The tenant would be left without an emergency administrator who can sign in.",
    "Set up another one first, or let everybody sign in with a password again by the security policy.",
  ),
} as const satisfies Record<string, CodeEntry>;
