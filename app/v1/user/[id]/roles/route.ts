import { readPreconditions } from "@/lib/api/conditional";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { sendTagged } from "@/lib/api/tagged";
import * as contract from "@/lib/users/administration-contract";
import * as roles from "@/lib/users/roles";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getUserRoles, async (context) => sendTagged(context, await roles.getUserRoles(context.caller, context.params.id))),
  PUT: route(contract.setUserRoles, async (context) => {
    const { caller, params, body, request } = context;
    return sendTagged(context, await roles.setUserRoles(caller, params.id, body, readPreconditions(request.headers)));
  }),
});
