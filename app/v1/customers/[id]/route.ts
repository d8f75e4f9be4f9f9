import { updateCustomer } from "@/lib/features/customers/customer-admin";
import { getCustomer } from "@/lib/features/customers/customer-queries";
import { eraseCustomer } from "@/lib/features/customers/erase";
import * as managing from "@/lib/features/customers/managing-contract";
import * as contract from "@/lib/features/customers/staff-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCustomer, ({ caller, params }) => getCustomer(caller, params.id)),
  PATCH: route(managing.updateCustomer, updateCustomer),
  DELETE: route(contract.eraseCustomer, eraseCustomer),
});
