import * as contract from "@/lib/features/tenants/contract";
import * as tenants from "@/lib/features/tenants/tenants";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getTenant, ({ caller }) => tenants.findTenant(caller.tenantId)),
  PATCH: route(contract.updateTenant, (context) => {
    const assertUnchanged = assertUnchangedBy(context, contract.getTenant);
    return tenants.updateTenant(context.caller, context.body, assertUnchanged);
  }),
});
