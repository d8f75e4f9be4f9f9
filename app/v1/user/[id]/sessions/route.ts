import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/sessions/contract";
import * as sessions from "@/lib/sessions/of-others";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listUserSessions, async (context) => {
    const { caller, params, query } = context;
    return sendPage(context, await sessions.listUserSessions(caller, params.id, query));
  }),
  DELETE: route(contract.endUserSessions, ({ caller, params }) => sessions.endUserSessions(caller, params.id)),
});
