import * as contract from "@/lib/features/customers/imports/contract";
import { importCustomers } from "@/lib/features/customers/imports/receive";
import { listImports } from "@/lib/features/customers/imports/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listCustomerImports, async (context) =>
    sendPage(context, await listImports(context.caller, context.query)),
  ),
  POST: route(contract.importCustomers, importCustomers),
});
