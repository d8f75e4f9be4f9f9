import * as contract from "@/lib/features/api-keys/managing-contract";
import { handOverKey } from "@/lib/features/api-keys/rotate";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.handOverKey, ({ caller, params, body }) =>
    handOverKey(caller, params.apiKeyId, body.userId),
  ),
});
