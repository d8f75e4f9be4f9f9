import * as contract from "@/lib/features/audit/contract";
import { sendExport } from "@/lib/features/audit/list";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.exportAuditEvents, sendExport),
});
