import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { deactivateUser } from "@/lib/users/lock";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.deactivateUser, ({ caller, params }) => deactivateUser(caller, params.id)),
});
