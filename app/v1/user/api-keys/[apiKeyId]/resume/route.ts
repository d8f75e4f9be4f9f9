import { withOwner } from "@/lib/features/api-keys/admin-list";
import { resumeApiKey } from "@/lib/features/api-keys/change";
import * as contract from "@/lib/features/api-keys/managing-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.resumeManagedKey, async ({ caller, params }) =>
    withOwner(caller, await resumeApiKey(caller, params.apiKeyId, "managed")),
  ),
});
