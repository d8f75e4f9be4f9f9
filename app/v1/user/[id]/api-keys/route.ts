import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { createServiceKey } from "@/lib/api-keys/create";
import * as contract from "@/lib/api-keys/managing-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createServiceKey, ({ caller, params, body }) => createServiceKey(caller, params.id, body)),
});
