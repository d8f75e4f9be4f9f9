import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import { refreshTokens } from "@/lib/customers/refresh";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.refreshTokens, ({ tenantId, siteId, body, origin }) => refreshTokens(tenantId, siteId, body.refreshToken, origin)),
});
