import { created } from "@/lib/api/created";
import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/tenants/contract";
import * as tenants from "@/lib/tenants/tenants";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listTenants, async (context) => sendPage(context, await tenants.listTenants(context.query))),
  POST: route(contract.createTenant, async (context) =>
    created(context, "/v1/tenants", await tenants.foundTenant(context.caller, context.body)),
  ),
});
