import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/managing-contract";
import { rotateApiKey } from "@/lib/api-keys/rotate";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.rotateManagedKey, ({ caller, params, body }) => rotateApiKey(caller, params.apiKeyId, body, "managed")),
});
