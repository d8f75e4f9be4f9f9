import * as sites from "@/lib/features/tenants/sites";
import * as contract from "@/lib/features/tenants/sites-contract";
import { methods } from "@/lib/http/methods";
import { created, sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listSites, async (context) =>
    sendPage(context, await sites.listSites(context.caller, context.query)),
  ),
  POST: route(contract.createSite, async (context) =>
    created(context, "/v1/tenant/sites", await sites.createSite(context.caller, context.body)),
  ),
});
