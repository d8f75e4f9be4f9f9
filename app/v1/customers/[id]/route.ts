import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { getCustomer } from "@/lib/customers/staff";
import * as contract from "@/lib/customers/staff-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCustomer, ({ caller, params }) => getCustomer(caller, params.id)),
});
