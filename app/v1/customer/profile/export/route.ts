import * as contract from "@/lib/features/customers/contract";
import { exportOwn } from "@/lib/features/customers/export";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.exportCustomer, exportOwn),
});
