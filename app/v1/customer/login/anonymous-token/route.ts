import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import { createAnonymousToken } from "@/lib/customers/login";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createAnonymousToken, ({ tenantId, siteId }) => createAnonymousToken(tenantId, siteId)),
});
