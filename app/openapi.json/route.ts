import { document } from "@/lib/api/document";
import { methods } from "@/lib/api/methods";
import { openApi } from "@/lib/api/openapi";
import { operations } from "@/lib/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: document(() => openApi(operations)) });
