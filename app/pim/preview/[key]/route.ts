import * as contract from "@/lib/features/previews/contract";
import * as handle from "@/lib/features/previews/handle";
import { getPreview } from "@/lib/features/previews/list";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getPreview, ({ caller, params }) => getPreview(caller, params.key)),
  DELETE: route(contract.deletePreview, handle.remove),
});
