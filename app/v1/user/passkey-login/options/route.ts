import { passkeyLoginOptions } from "@/lib/features/sessions/passkey-login";
import * as contract from "@/lib/features/sessions/steps-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.passkeyLoginOptions, async ({ tenantId, body }) =>
    passkeyLoginOptions(tenantId, body),
  ),
});
