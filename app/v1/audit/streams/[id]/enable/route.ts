import * as contract from "@/lib/features/destinations/audit-streams/contract";
import { enableAuditStream } from "@/lib/features/destinations/audit-streams/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.enableAuditStream, ({ caller, params }) =>
    enableAuditStream(caller, params.id),
  ),
});
