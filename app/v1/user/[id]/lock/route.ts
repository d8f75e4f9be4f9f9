import * as contract from "@/lib/features/users/administration-contract";
import { lockUser } from "@/lib/features/users/lock";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.lockUser, ({ caller, params, body }) => lockUser(caller, params.id, body)),
});
