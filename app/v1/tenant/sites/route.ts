import { created } from "@/lib/api/created";
import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as sites from "@/lib/tenants/sites";
import * as contract from "@/lib/tenants/sites-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listSites, async (context) => sendPage(context, await sites.listSites(context.caller, context.query))),
  POST: route(contract.createSite, async (context) =>
    created(context, "/v1/tenant/sites", await sites.createSite(context.caller, context.body)),
  ),
});
