import { createCustomer } from "@/lib/features/customers/create";
import { listCustomers } from "@/lib/features/customers/customer-queries";
import * as managing from "@/lib/features/customers/managing-contract";
import * as contract from "@/lib/features/customers/staff-contract";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listCustomers, async (context) =>
    sendPage(context, await listCustomers(context.caller, context.query)),
  ),
  POST: route(managing.createCustomer, createCustomer),
});
