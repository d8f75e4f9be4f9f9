import * as contract from "@/lib/features/tenants/contract";
import * as tenants from "@/lib/features/tenants/tenants";
import { methods } from "@/lib/http/methods";
import { created, sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listTenants, async (context) =>
    sendPage(context, await tenants.listTenants(context.query)),
  ),
  POST: route(contract.createTenant, async (context) =>
    created(context, "/v1/tenants", await tenants.provisionTenant(context.caller, context.body)),
  ),
});
