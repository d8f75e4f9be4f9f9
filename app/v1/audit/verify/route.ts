import * as contract from "@/lib/features/audit/contract";
import { verifyTrail } from "@/lib/features/audit/verify-trail";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.verifyAuditEvents, ({ caller, query }) => verifyTrail(caller, query.after)),
});
