import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import { listManagedKeys } from "@/lib/api-keys/manage";
import * as contract from "@/lib/api-keys/managing-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listManagedKeys, async (context) => sendPage(context, await listManagedKeys(context.caller, context.query))),
});
