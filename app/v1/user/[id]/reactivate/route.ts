import { isOfProvider } from "@/lib/features/connections/provisioned-rows";
import * as contract from "@/lib/features/users/administration-contract";
import { reactivateUser } from "@/lib/features/users/lock";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.reactivateUser, ({ caller, params }) =>
    reactivateUser(caller, params.id, isOfProvider),
  ),
});
