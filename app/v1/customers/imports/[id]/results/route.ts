import * as contract from "@/lib/features/customers/imports/contract";
import { listResults } from "@/lib/features/customers/imports/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listCustomerImportResults, async (context) =>
    sendPage(context, await listResults(context.caller, context.params.id, context.query)),
  ),
});
