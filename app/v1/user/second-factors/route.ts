import * as contract from "@/lib/features/second-factors/contract";
import { createSecondFactor, listSecondFactors } from "@/lib/features/second-factors/service";
import { methods } from "@/lib/http/methods";
import { created } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listSecondFactors, ({ caller }) => listSecondFactors(caller)),
  POST: route(contract.createSecondFactor, async (context) => {
    const factor = await createSecondFactor(context.caller, context.body);
    return created(context, "/v1/user/second-factors", factor);
  }),
});
