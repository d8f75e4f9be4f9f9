import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/requests/contract";
import { listRequests } from "@/lib/requests/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listRequests, async (context) => sendPage(context, await listRequests(context.caller, context.query))),
});
