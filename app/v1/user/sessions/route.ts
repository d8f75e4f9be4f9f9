import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/sessions/contract";
import * as sessions from "@/lib/sessions/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listSessions, async (context) => sendPage(context, await sessions.listSessions(context.caller, context.query))),
});
