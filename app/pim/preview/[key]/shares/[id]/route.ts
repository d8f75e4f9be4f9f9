import * as contract from "@/lib/features/previews/shares/contract";
import { revokeShare } from "@/lib/features/previews/shares/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.deletePreviewShare, revokeShare),
});
