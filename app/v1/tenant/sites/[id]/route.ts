import * as sites from "@/lib/features/tenants/sites";
import * as contract from "@/lib/features/tenants/sites-contract";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getSite, ({ caller, params }) => sites.getSite(caller, params.id)),
  PATCH: route(contract.updateSite, (context) =>
    sites.updateSite(context, assertUnchangedBy(context, contract.getSite)),
  ),
  DELETE: route(contract.deleteSite, (context) =>
    sites.deleteSite(context, assertUnchangedBy(context, contract.getSite)),
  ),
});
