import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { getManagedKey } from "@/lib/api-keys/manage";
import * as contract from "@/lib/api-keys/managing-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getManagedKey, ({ caller, params }) => getManagedKey(caller, params.apiKeyId)),
});
