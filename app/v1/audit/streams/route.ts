import * as contract from "@/lib/features/destinations/audit-streams/contract";
import * as streams from "@/lib/features/destinations/audit-streams/service";
import { methods } from "@/lib/http/methods";
import { created, sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAuditStreams, async (context) =>
    sendPage(context, await streams.listAuditStreams(context.caller, context.query)),
  ),
  POST: route(contract.createAuditStream, async (context) =>
    created(context, "/v1/audit/streams", await streams.createAuditStream(context)),
  ),
});
