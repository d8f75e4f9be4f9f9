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
} as const satisfies Record<string, CodeEntry>;
