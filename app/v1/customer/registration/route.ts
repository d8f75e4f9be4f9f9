import * as contract from "@/lib/features/customers/contract";
import { registerCustomer } from "@/lib/features/customers/registration";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.registerCustomer, async ({ caller, body, answerHeaders }) => {
    const profile = await registerCustomer(caller, body);
    answerHeaders.Location = "/v1/customer/profile";
    return profile;
  }),
});
