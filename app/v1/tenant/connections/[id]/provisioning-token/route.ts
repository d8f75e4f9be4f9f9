import * as contract from "@/lib/features/connections/provisioning/contract";
import { createProvisioningToken } from "@/lib/features/connections/provisioning/tokens";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createProvisioningToken, ({ caller, params, body }) =>
    createProvisioningToken(caller, params.id, body),
  ),
});
