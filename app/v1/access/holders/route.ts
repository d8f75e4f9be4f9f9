import * as contract from "@/lib/access/contract";
import { listHolders } from "@/lib/access/holders";
import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listHolders, async (context) => sendPage(context, await listHolders(context.caller, context.query))),
});
