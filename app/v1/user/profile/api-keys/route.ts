import * as contract from "@/lib/features/api-keys/contract";
import { createApiKey } from "@/lib/features/api-keys/create";
import { listApiKeys } from "@/lib/features/api-keys/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listApiKeys, async (context) =>
    sendPage(context, await listApiKeys(context.caller, context.query)),
  ),
  POST: route(contract.createApiKey, ({ caller, body }) => createApiKey(caller, body)),
});
