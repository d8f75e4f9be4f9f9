import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { suspendApiKey } from "@/lib/api-keys/change";
import { withOwner } from "@/lib/api-keys/manage";
import * as contract from "@/lib/api-keys/managing-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.suspendManagedKey, async ({ caller, params }) =>
    withOwner(caller, await suspendApiKey(caller, params.apiKeyId, "managed")),
  ),
});
