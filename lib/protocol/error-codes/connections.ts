import { type CodeEntry, code } from "./entry";

/** Codes of connections to identity providers, of sign-ins there, and of who may sign in otherwise. */
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
