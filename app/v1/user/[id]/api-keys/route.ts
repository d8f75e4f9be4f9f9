import { createServiceKey } from "@/lib/features/api-keys/create";
import * as contract from "@/lib/features/api-keys/managing-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createServiceKey, ({ caller, params, body }) =>
    createServiceKey(caller, params.id, body),
  ),
});
