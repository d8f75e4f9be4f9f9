import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import { logoutCustomer } from "@/lib/customers/login";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.logoutCustomer, ({ caller, body }) => logoutCustomer(caller, body)),
});
