import * as contract from "@/lib/features/tenants/contract";
import { findTenant } from "@/lib/features/tenants/tenants";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.showTenant, ({ params }) => findTenant(params.id)),
});
