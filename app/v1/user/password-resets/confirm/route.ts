import { redeemLink } from "@/lib/features/users/password-links";
import * as contract from "@/lib/features/users/password-links-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.confirmPasswordReset, async ({ tenantId, body, origin }) => {
    await redeemLink(tenantId, body, "reset", origin);
  }),
});
