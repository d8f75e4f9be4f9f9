import * as contract from "@/lib/features/request-log/contract";
import { listRequests } from "@/lib/features/request-log/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listRequests, async (context) =>
    sendPage(context, await listRequests(context.caller, context.query)),
  ),
});
