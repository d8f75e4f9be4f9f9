import { suspendApiKey } from "@/lib/features/api-keys/change";
import * as contract from "@/lib/features/api-keys/contract";
import { toApiKey } from "@/lib/features/api-keys/rows";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.suspendApiKey, async ({ caller, params }) =>
    toApiKey(await suspendApiKey(caller, params.apiKeyId, "own")),
  ),
});
