import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import { listCustomers } from "@/lib/customers/staff";
import * as contract from "@/lib/customers/staff-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listCustomers, async (context) => sendPage(context, await listCustomers(context.caller, context.query))),
});
