import * as contract from "@/lib/features/users/administration-contract";
import { createServiceUser } from "@/lib/features/users/invite";
import { methods } from "@/lib/http/methods";
import { created } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createServiceUser, async (context) =>
    created(context, "/v1/user", await createServiceUser(context.caller, context.body)),
  ),
});
