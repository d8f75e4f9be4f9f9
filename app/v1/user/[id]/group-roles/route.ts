import * as contract from "@/lib/features/connections/group-contract";
import { listUserGroupRoles } from "@/lib/features/connections/group-roles";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listUserGroupRoles, ({ caller, params }) =>
    listUserGroupRoles(caller, params.id),
  ),
});
