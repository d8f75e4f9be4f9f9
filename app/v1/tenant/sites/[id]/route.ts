import * as sites from "@/lib/features/tenants/sites";
import * as contract from "@/lib/features/tenants/sites-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getSite, ({ caller, params }) => sites.getSite(caller, params.id)),
  PATCH: route(contract.updateSite, ({ caller, params, body }) =>
    sites.updateSite(caller, params.id, body),
  ),
  DELETE: route(contract.deleteSite, ({ caller, params }) => sites.deleteSite(caller, params.id)),
});
