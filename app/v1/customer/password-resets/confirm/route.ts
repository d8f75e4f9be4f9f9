import * as contract from "@/lib/features/customers/contract";
import { confirmPasswordReset } from "@/lib/features/customers/password-tokens";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.confirmCustomerPasswordReset, ({ caller, body }) =>
    confirmPasswordReset(caller, body),
  ),
});
