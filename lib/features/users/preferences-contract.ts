import { Preferences } from "@/lib/protocol/documents/preferences";
import { endpoint, inSession } from "@/lib/protocol/endpoint";

export const getPreferences = endpoint({
  operation: "GET /v1/user/preferences",
  summary: "Show one's own preferences in this tenant",
  ...inSession("ownAccount"),
  permission: "any-role",
  answer: Preferences,
  conditional: "tag",
});

export const setPreferences = endpoint({
  operation: "PUT /v1/user/preferences",
  summary: "Set one's own preferences in this tenant; what is left out is as the browser has it",
  ...inSession("ownAccount"),
  permission: "any-role",
  body: Preferences,
  answer: Preferences,
  conditional: "tag",
});
