import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import { registerCustomer } from "@/lib/customers/registration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.registerCustomer, async ({ caller, body, answerHeaders }) => {
    const profile = await registerCustomer(caller, body);
    answerHeaders.Location = "/v1/customer/profile";
    return profile;
  }),
});
