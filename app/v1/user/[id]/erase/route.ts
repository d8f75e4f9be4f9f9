import * as contract from "@/lib/features/privacy/contract";
import { eraseUser } from "@/lib/features/privacy/erase-user";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.eraseUser, ({ caller, params, body }) => eraseUser(caller, params.id, body)),
});
