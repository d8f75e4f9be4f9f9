import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/managing-contract";
import { handOverKey } from "@/lib/api-keys/rotate";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.handOverKey, ({ caller, params, body }) => handOverKey(caller, params.apiKeyId, body.userId)),
});
