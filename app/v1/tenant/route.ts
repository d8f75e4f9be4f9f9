import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/tenants/contract";
import * as tenants from "@/lib/tenants/tenants";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getTenant, ({ caller }) => tenants.findTenant(caller.tenantId)),
  PATCH: route(contract.updateTenant, ({ caller, body }) => tenants.updateTenant(caller, body)),
});
