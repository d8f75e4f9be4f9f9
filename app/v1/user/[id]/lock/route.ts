import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { lockUser } from "@/lib/users/lock";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.lockUser, ({ caller, params, body }) => lockUser(caller, params.id, body)),
});
