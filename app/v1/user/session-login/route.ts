import * as contract from "@/lib/features/sessions/contract";
import { login } from "@/lib/features/sessions/login";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.sessionLogin, ({ tenantId, body, origin }) => login(tenantId, body, origin)),
});
