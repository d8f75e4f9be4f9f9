import { createPasswordReset } from "@/lib/features/users/invite";
import * as contract from "@/lib/features/users/password-links-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createPasswordReset, ({ caller, params }) =>
    createPasswordReset(caller, params.id),
  ),
});
