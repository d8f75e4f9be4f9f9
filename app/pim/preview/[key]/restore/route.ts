import * as contract from "@/lib/features/previews/contract";
import { restorePreview } from "@/lib/features/previews/states";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.restorePreview, ({ caller, params }) => restorePreview(caller, params.key)),
});
