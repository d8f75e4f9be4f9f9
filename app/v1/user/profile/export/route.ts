import * as contract from "@/lib/features/privacy/contract";
import { exportOwnUser } from "@/lib/features/privacy/export-user";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.exportOwnUser, exportOwnUser),
});
