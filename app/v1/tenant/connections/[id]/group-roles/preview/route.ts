import * as contract from "@/lib/features/connections/group-contract";
import { previewGroupRoles } from "@/lib/features/connections/group-roles";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.previewGroupRoles, ({ caller, params, body }) =>
    previewGroupRoles(caller, params.id, body.groupRoles),
  ),
});
