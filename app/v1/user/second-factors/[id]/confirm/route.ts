import * as contract from "@/lib/features/sessions/second-factors/contract";
import { confirmSecondFactor } from "@/lib/features/sessions/second-factors/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.confirmSecondFactor, ({ caller, params, body }) =>
    confirmSecondFactor(caller, params.id, body.code),
  ),
});
