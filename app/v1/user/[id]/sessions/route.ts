import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/sessions/contract";
import * as sessions from "@/lib/sessions/of-others";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listUserSessions, ({ caller, params }) => sessions.listUserSessions(caller, params.id)),
  DELETE: route(contract.endUserSessions, ({ caller, params }) => sessions.endUserSessions(caller, params.id)),
});
