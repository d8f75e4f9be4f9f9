import * as keys from "@/lib/features/api-keys/change";
import * as contract from "@/lib/features/api-keys/contract";
import { getApiKey } from "@/lib/features/api-keys/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getApiKey, ({ caller, params }) => getApiKey(caller, params.apiKeyId)),
  PATCH: route(contract.updateApiKey, (context) =>
    keys.updateApiKey(context, assertUnchangedBy(context, contract.getApiKey)),
  ),
  DELETE: route(contract.revokeApiKey, keys.revokeOwnKey),
});
