import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/previews/contract";
import { archivePreview } from "@/lib/previews/states";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.archivePreview, ({ caller, params }) => archivePreview(caller, params.key)),
});
