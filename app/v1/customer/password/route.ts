import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import { changePassword } from "@/lib/customers/passwords";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.changeCustomerPassword, ({ caller, body }) => changePassword(caller, body)),
});
