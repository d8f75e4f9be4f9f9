import * as contract from "@/lib/features/customers/contract";
import { refreshTokens } from "@/lib/features/customers/refresh";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.refreshTokens, ({ tenantId, siteId, body, origin }) =>
    refreshTokens(tenantId, siteId, body.refreshToken, origin),
  ),
});
