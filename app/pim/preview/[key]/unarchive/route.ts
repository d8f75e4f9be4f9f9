import * as contract from "@/lib/features/previews/contract";
import { unarchivePreview } from "@/lib/features/previews/states";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.unarchivePreview, ({ caller, params }) =>
    unarchivePreview(caller, params.key),
  ),
});
