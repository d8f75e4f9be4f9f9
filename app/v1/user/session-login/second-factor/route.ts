import { finishLogin } from "@/lib/features/sessions/second-factor-login";
import * as contract from "@/lib/features/sessions/steps-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.secondFactorLogin, ({ tenantId, body, origin }) =>
    finishLogin(tenantId, body, origin),
  ),
});
