import * as contract from "@/lib/features/preview-shares/contract";
import * as handle from "@/lib/features/preview-shares/handle";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listPreviewShares, handle.list),
  POST: route(contract.createPreviewShare, handle.create),
});
