import { listWithoutSecondFactor } from "@/lib/features/users/emergency-administrators";
import * as contract from "@/lib/features/users/emergency-contract";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listWithoutSecondFactor, async (context) =>
    sendPage(context, await listWithoutSecondFactor(context.caller, context.query)),
  ),
});
