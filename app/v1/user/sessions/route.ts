import * as contract from "@/lib/features/sessions/contract";
import * as sessions from "@/lib/features/sessions/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listSessions, async (context) =>
    sendPage(context, await sessions.listSessions(context.caller, context.query)),
  ),
  DELETE: route(contract.endOtherSessions, ({ caller }) => sessions.endOtherSessions(caller)),
});
