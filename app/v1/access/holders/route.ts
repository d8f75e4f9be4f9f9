import * as contract from "@/lib/catalogue/access-contract";
import { listHolders } from "@/lib/catalogue/permission-holders";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listHolders, async (context) =>
    sendPage(context, await listHolders(context.caller, context.query)),
  ),
});
