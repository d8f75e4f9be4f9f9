import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/previews/contract";
import * as handle from "@/lib/previews/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getPreviewRevision, handle.readRevision),
});
