import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { reactivateUser } from "@/lib/users/lock";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.reactivateUser, ({ caller, params }) => reactivateUser(caller, params.id)),
});
