import * as contract from "@/lib/features/audit/contract";
import { listAuditHeads } from "@/lib/features/audit/heads";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAuditHeads, async (context) =>
    sendPage(context, await listAuditHeads(context.caller, context.query)),
  ),
});
