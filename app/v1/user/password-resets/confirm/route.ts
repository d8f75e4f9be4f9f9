import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { redeemLink } from "@/lib/users/password-links";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.confirmPasswordReset, async ({ tenantId, body, origin }) => {
    await redeemLink(tenantId, body, "reset", origin);
  }),
});
