import * as contract from "@/lib/features/customers/contract";
import { registerCustomer } from "@/lib/features/customers/registration";
import { methods } from "@/lib/http/methods";
import { createdAt } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.registerCustomer, async (context) =>
    createdAt(
      context,
      "/v1/customer/profile",
      await registerCustomer(context.caller, context.body),
    ),
  ),
});
