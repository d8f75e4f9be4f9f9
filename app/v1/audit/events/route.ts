import * as contract from "@/lib/features/audit/contract";
import { listAuditEvents } from "@/lib/features/audit/list";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAuditEvents, async (context) =>
    sendPage(context, await listAuditEvents(context.caller, context.query)),
  ),
});
