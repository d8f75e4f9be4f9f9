import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/audit/contract";
import { listAuditEvents } from "@/lib/audit/list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAuditEvents, async (context) => sendPage(context, await listAuditEvents(context.caller, context.query))),
});
