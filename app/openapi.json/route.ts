import { openApi } from "@/lib/catalogue/openapi";
import { operations } from "@/lib/catalogue/operations";
import { document } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: document(() => openApi(operations)),
});
