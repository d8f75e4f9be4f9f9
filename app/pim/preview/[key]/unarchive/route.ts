import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/previews/contract";
import { unarchivePreview } from "@/lib/previews/states";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.unarchivePreview, ({ caller, params }) => unarchivePreview(caller, params.key)),
});
