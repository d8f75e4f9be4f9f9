import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { createPasswordReset } from "@/lib/users/invite";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createPasswordReset, ({ caller, params }) => createPasswordReset(caller, params.id)),
});
