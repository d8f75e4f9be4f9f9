import { assertEnforcementSafe } from "@/lib/features/connections/enforcement";
import * as policy from "@/lib/features/tenants/policy";
import * as contract from "@/lib/features/tenants/policy-contract";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getSecurityPolicy, ({ caller }) => policy.getSecurityPolicy(caller)),
  PUT: route(contract.setSecurityPolicy, (context) => {
    const { caller, body } = context;
    const assertUnchanged = assertUnchangedBy(context, contract.getSecurityPolicy);
    return policy.setSecurityPolicy(caller, body, assertUnchanged, assertEnforcementSafe);
  }),
});
