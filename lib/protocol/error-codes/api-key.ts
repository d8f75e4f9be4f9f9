import { type CodeEntry, code } from "./entry";

/** Codes of API keys and of operations on their secrets. */
export const apiKeyCodes = {
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
  "api-key.suspended": code(
    409,
    "The API key is suspended.",
    "Resume the key first: a link to its secret would open nothing.",
  ),
  "api-key.hand-off-limit-reached": code(
    409,
    "The API key has as many links to its secret as it may have.",
    "Withdraw one that was not opened, or rotate the key, which withdraws all. reason is the limit.",
  ),
  "api-key.hand-off-not-found": code(
    404,
    "The link was already opened, has expired or was withdrawn.",
    "Ask who sent it for a new one. Have the key rotated if you did not open it yourself.",
  ),
  "api-key.revoked": code(409, "The API key is revoked.", "Create a new key."),
} as const satisfies Record<string, CodeEntry>;
