import * as contract from "@/lib/features/destinations/audit-streams/contract";
import { testAuditStream } from "@/lib/features/destinations/audit-streams/transport";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.testAuditStream, ({ caller, params }) => testAuditStream(caller, params.id)),
});
