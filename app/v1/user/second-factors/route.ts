import * as contract from "@/lib/features/sessions/second-factors/contract";
import * as factors from "@/lib/features/sessions/second-factors/service";
import { methods } from "@/lib/http/methods";
import { created } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listSecondFactors, ({ caller }) => factors.listSecondFactors(caller)),
  POST: route(contract.createSecondFactor, async (context) => {
    const factor = await factors.createSecondFactor(context.caller, context.body);
    return created(context, "/v1/user/second-factors", factor);
  }),
});
