import * as contract from "@/lib/features/users/password-links-contract";
import { requestPasswordReset } from "@/lib/features/users/reset-mail";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.requestPasswordReset, ({ tenantId, body, origin }) =>
    requestPasswordReset(tenantId, body.login, origin.requestId),
  ),
});
