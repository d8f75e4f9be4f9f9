import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as sites from "@/lib/tenants/sites";
import * as contract from "@/lib/tenants/sites-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getSite, ({ caller, params }) => sites.getSite(caller, params.id)),
  PATCH: route(contract.updateSite, ({ caller, params, body }) => sites.updateSite(caller, params.id, body)),
  DELETE: route(contract.deleteSite, ({ caller, params }) => sites.deleteSite(caller, params.id)),
});
