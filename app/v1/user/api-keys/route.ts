import { listManagedKeys } from "@/lib/features/api-keys/admin-list";
import * as contract from "@/lib/features/api-keys/managing-contract";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listManagedKeys, async (context) =>
    sendPage(context, await listManagedKeys(context.caller, context.query)),
  ),
});
