import * as contract from "@/lib/features/customers/imports/contract";
import { getImport } from "@/lib/features/customers/imports/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCustomerImport, ({ caller, params }) => getImport(caller, params.id)),
});
