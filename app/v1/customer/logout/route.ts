import * as contract from "@/lib/features/customers/contract";
import { logoutCustomer } from "@/lib/features/customers/login";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.logoutCustomer, ({ caller, body }) => logoutCustomer(caller, body)),
});
