import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/sessions/contract";
import { login } from "@/lib/sessions/login";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.sessionLogin, ({ tenantId, body, origin }) => login(tenantId, body, origin)),
});
