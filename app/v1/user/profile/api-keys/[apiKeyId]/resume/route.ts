import { resumeApiKey } from "@/lib/features/api-keys/change";
import * as contract from "@/lib/features/api-keys/contract";
import { toApiKey } from "@/lib/features/api-keys/rows";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.resumeApiKey, async ({ caller, params }) =>
    toApiKey(await resumeApiKey(caller, params.apiKeyId, "own")),
  ),
});
