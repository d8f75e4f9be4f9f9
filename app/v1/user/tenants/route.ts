import * as contract from "@/lib/features/sessions/contract";
import { listOwnTenants } from "@/lib/features/sessions/switch";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listOwnTenants, async (context) =>
    sendPage(context, await listOwnTenants(context.caller, context.query)),
  ),
});
