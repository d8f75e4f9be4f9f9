import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/sessions/contract";
import { listOwnTenants } from "@/lib/sessions/own-tenants";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listOwnTenants, async (context) => sendPage(context, await listOwnTenants(context.caller, context.query))),
});
