import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { unlockUser } from "@/lib/users/lock";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.unlockUser, ({ caller, params }) => unlockUser(caller, params.id)),
});
