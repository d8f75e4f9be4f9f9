import * as contract from "@/lib/features/preview-comments/contract";
import * as handle from "@/lib/features/preview-comments/handle";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listPreviewComments, handle.list),
  POST: route(contract.createPreviewComment, handle.create),
});
