import * as contract from "@/lib/features/previews/shares/contract";
import * as shares from "@/lib/features/previews/shares/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listPreviewShares, shares.sendShares),
  POST: route(contract.createPreviewShare, shares.sendNewShare),
});
