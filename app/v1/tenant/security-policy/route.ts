import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as policy from "@/lib/tenants/policy";
import * as contract from "@/lib/tenants/policy-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getSecurityPolicy, ({ caller }) => policy.getSecurityPolicy(caller)),
  PUT: route(contract.setSecurityPolicy, ({ caller, body }) => policy.setSecurityPolicy(caller, body)),
});
