import * as contract from "@/lib/features/customers/imports/contract";
import { cancelImport } from "@/lib/features/customers/imports/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.cancelCustomerImport, ({ caller, params }) =>
    cancelImport(caller, params.id),
  ),
});
