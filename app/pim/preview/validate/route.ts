import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/previews/contract";
import { problemsOf } from "@/lib/previews/problems";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.validatePreview, ({ body }) => ({ problems: problemsOf(body) })),
});
