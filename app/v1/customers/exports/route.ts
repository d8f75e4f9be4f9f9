import { exportCustomers } from "@/lib/features/customers/export-many";
import * as contract from "@/lib/features/customers/managing-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.exportCustomers, (context) => exportCustomers(context)),
});
