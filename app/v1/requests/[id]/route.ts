import { getRequest } from "@/lib/catalogue/explain";
import * as contract from "@/lib/features/request-log/contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getRequest, ({ caller, params }) => getRequest(caller, params.id)),
});
