import * as contract from "@/lib/features/destinations/audit-streams/contract";
import * as streams from "@/lib/features/destinations/audit-streams/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getAuditStream, streams.getAuditStream),
  PATCH: route(contract.updateAuditStream, (context) =>
    streams.updateAuditStream(context, assertUnchangedBy(context, contract.getAuditStream)),
  ),
  DELETE: route(contract.deleteAuditStream, (context) =>
    streams.deleteAuditStream(context, assertUnchangedBy(context, contract.getAuditStream)),
  ),
});
