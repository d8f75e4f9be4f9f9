import * as contract from "@/lib/features/tenants/contract";
import { createSandbox } from "@/lib/features/tenants/sign-up";
import { methods } from "@/lib/http/methods";
import { createdAt } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createSandbox, async (context) =>
    createdAt(context, "/v1/tenant", await createSandbox(context.caller, context.body)),
  ),
});
