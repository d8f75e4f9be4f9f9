import { problemsOf } from "@/lib/features/previews/content";
import * as contract from "@/lib/features/previews/contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.validatePreview, ({ body }) => ({ problems: problemsOf(body) })),
});
