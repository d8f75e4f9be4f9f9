import { openApi } from "@/lib/catalogue/openapi";
import { namedOperations } from "@/lib/catalogue/operations";
import { document } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";
import { publicUrl } from "@/lib/protocol/settings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: document(() => openApi(namedOperations, publicUrl())),
});
