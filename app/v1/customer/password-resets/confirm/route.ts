import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import { confirmPasswordReset } from "@/lib/customers/passwords";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.confirmCustomerPasswordReset, ({ caller, body }) => confirmPasswordReset(caller, body)),
});
