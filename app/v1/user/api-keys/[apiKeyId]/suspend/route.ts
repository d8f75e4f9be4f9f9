import { withOwner } from "@/lib/features/api-keys/admin-list";
import { suspendApiKey } from "@/lib/features/api-keys/change";
import * as contract from "@/lib/features/api-keys/managing-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.suspendManagedKey, async ({ caller, params }) =>
    withOwner(caller, await suspendApiKey(caller, params.apiKeyId, "managed")),
  ),
});
