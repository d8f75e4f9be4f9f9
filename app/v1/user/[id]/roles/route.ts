import * as contract from "@/lib/features/users/administration-contract";
import * as roles from "@/lib/features/users/roles";
import { methods } from "@/lib/http/methods";
import { sendTagged } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getUserRoles, async (context) =>
    sendTagged(context, await roles.getUserRoles(context.caller, context.params.id)),
  ),
  PUT: route(contract.setUserRoles, async (context) => {
    const { caller, params, body, request } = context;
    return sendTagged(context, await roles.setUserRoles(caller, params.id, body, request.headers));
  }),
});
