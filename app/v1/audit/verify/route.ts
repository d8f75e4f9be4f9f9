import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/audit/contract";
import { verifyTrail } from "@/lib/audit/verification";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.verifyAuditEvents, ({ caller, query }) => verifyTrail(caller, query.after)),
});
