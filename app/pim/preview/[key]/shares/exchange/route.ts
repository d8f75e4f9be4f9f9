import * as contract from "@/lib/features/previews/shares/contract";
import { exchangeShare } from "@/lib/features/previews/shares/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.exchangePreviewShare, exchangeShare),
});
