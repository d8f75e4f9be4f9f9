import * as contract from "@/lib/features/customers/contract";
import { createAnonymousToken } from "@/lib/features/customers/login";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createAnonymousToken, ({ tenantId, siteId }) =>
    createAnonymousToken(tenantId, siteId),
  ),
});
