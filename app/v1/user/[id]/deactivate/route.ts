import * as contract from "@/lib/features/users/administration-contract";
import { deactivateUser } from "@/lib/features/users/lock";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.deactivateUser, ({ caller, params }) => deactivateUser(caller, params.id)),
});
