import { inviteUser } from "@/lib/features/users/invite";
import * as contract from "@/lib/features/users/password-links-contract";
import { methods } from "@/lib/http/methods";
import { created } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.inviteUser, async (context) =>
    created(context, "/v1/user", await inviteUser(context.caller, context.body)),
  ),
});
