import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as keys from "@/lib/api-keys/change";
import * as contract from "@/lib/api-keys/contract";
import { getApiKey } from "@/lib/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getApiKey, ({ caller, params }) => getApiKey(caller, params.apiKeyId)),
  PATCH: route(contract.updateApiKey, ({ caller, params, body }) => keys.updateApiKey(caller, params.apiKeyId, body)),
  DELETE: route(contract.revokeApiKey, async ({ caller, params }) => {
    await keys.revokeApiKey(caller, params.apiKeyId, "own");
  }),
});
