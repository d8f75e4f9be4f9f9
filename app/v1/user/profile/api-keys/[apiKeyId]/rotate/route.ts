import * as contract from "@/lib/features/api-keys/contract";
import { rotateApiKey } from "@/lib/features/api-keys/rotate";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.rotateApiKey, ({ caller, params, body }) =>
    rotateApiKey(caller, params.apiKeyId, body, "own"),
  ),
});
