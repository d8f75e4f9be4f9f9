import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/previews/contract";
import * as handle from "@/lib/previews/handle";
import { getPreview } from "@/lib/previews/list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getPreview, ({ caller, params }) => getPreview(caller, params.key)),
  DELETE: route(contract.deletePreview, handle.remove),
});
