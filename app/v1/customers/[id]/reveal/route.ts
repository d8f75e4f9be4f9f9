import * as care from "@/lib/features/customers/customer-admin";
import * as contract from "@/lib/features/customers/staff-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.revealCustomer, ({ caller, params, body }) =>
    care.revealCustomer(caller, params.id, body),
  ),
});
