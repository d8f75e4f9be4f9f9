import { listSignInMethods } from "@/lib/features/connections/identities";
import * as contract from "@/lib/features/connections/identity-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listSignInMethods, ({ tenantId }) => listSignInMethods(tenantId)),
});
