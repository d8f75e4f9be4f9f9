import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { suspendApiKey } from "@/lib/api-keys/change";
import * as contract from "@/lib/api-keys/contract";
import { keyAnswer } from "@/lib/api-keys/rows";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.suspendApiKey, async ({ caller, params }) => keyAnswer(await suspendApiKey(caller, params.apiKeyId, "own"))),
});
