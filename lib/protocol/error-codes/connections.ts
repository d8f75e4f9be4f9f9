import { type CodeEntry, code } from "./entry";

/** Codes of connections to identity providers, and of sign-ins there. */
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
} as const satisfies Record<string, CodeEntry>;
