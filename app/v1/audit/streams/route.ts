import * as contract from "@/lib/features/audit-streams/contract";
import * as streams from "@/lib/features/audit-streams/service";
import { created } from "@/lib/http/created";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { sendPage } from "@/lib/http/send-page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAuditStreams, async (context) =>
    sendPage(context, await streams.listAuditStreams(context.caller, context.query)),
  ),
  POST: route(contract.createAuditStream, async (context) =>
    created(context, "/v1/audit/streams", await streams.createAuditStream(context)),
  ),
});
