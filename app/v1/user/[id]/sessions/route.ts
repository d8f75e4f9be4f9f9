import * as contract from "@/lib/features/sessions/contract";
import * as sessions from "@/lib/features/sessions/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listUserSessions, async (context) => {
    const { caller, params, query } = context;
    return sendPage(context, await sessions.listUserSessions(caller, params.id, query));
  }),
  DELETE: route(contract.endUserSessions, ({ caller, params }) =>
    sessions.endUserSessions(caller, params.id),
  ),
});
