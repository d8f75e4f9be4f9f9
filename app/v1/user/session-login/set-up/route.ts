import { beginSetUp } from "@/lib/features/sessions/set-up";
import * as contract from "@/lib/features/sessions/steps-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.beginSetUp, ({ tenantId, body, origin }) =>
    beginSetUp(tenantId, body, origin),
  ),
});
