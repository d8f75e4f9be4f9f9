import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { redeemLink } from "@/lib/users/password-links";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.acceptInvitation, ({ tenantId, body, origin }) => redeemLink(tenantId, body, "invitation", origin)),
});
