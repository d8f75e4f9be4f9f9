import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/requests/contract";
import { getRequest } from "@/lib/requests/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getRequest, ({ caller, params }) => getRequest(caller, params.id)),
});
