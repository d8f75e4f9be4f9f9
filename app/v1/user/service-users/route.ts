import { created } from "@/lib/api/created";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/administration-contract";
import { createServiceUser } from "@/lib/users/invite";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createServiceUser, async (context) =>
    created(context, "/v1/user", await createServiceUser(context.caller, context.body)),
  ),
});
