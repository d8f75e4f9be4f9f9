import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/tenants/contract";
import { findTenant } from "@/lib/tenants/tenants";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.showTenant, ({ params }) => findTenant(params.id)),
});
