import { withdrawAccessRequest } from "@/lib/features/users/access-requests";
import * as contract from "@/lib/features/users/access-requests-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.withdrawAccessRequest, ({ caller, params }) =>
    withdrawAccessRequest(caller, params.id),
  ),
});
