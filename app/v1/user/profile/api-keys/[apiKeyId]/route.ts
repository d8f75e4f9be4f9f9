import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import * as apiKeys from "@/lib/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getApiKey, ({ caller, params }) => apiKeys.getApiKey(caller, params.apiKeyId)),
  DELETE: route(contract.revokeApiKey, ({ caller, params }) => apiKeys.revokeApiKey(caller, params.apiKeyId)),
});
