import * as tokens from "@/lib/features/customers/password-tokens";
import * as contract from "@/lib/features/customers/staff-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createPasswordToken, ({ caller, params }) =>
    tokens.createPasswordToken(caller, params.id),
  ),
});
