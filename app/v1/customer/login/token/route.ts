import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import { loginCustomer } from "@/lib/customers/login";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.loginCustomer, ({ caller, body }) => loginCustomer(caller, body)),
});
