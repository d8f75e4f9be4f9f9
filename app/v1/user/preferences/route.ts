import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as preferences from "@/lib/users/preferences";
import * as contract from "@/lib/users/preferences-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getPreferences, ({ caller }) => preferences.getPreferences(caller)),
  PUT: route(contract.setPreferences, ({ caller, body }) => preferences.setPreferences(caller, body)),
});
