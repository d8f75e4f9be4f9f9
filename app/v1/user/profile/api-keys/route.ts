import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { createApiKey } from "@/lib/api-keys/create";
import { listApiKeys } from "@/lib/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listApiKeys, async (context) => sendPage(context, await listApiKeys(context.caller, context.query))),
  POST: route(contract.createApiKey, ({ caller, body }) => createApiKey(caller, body)),
});
