import * as contract from "@/lib/features/sessions/second-factors/contract";
import { resetSecondFactors } from "@/lib/features/sessions/second-factors/reset";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.resetSecondFactors, ({ caller, params, body }) =>
    resetSecondFactors(caller, params.id, body.reason),
  ),
});
