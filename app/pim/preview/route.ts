import * as contract from "@/lib/features/previews/contract";
import * as handle from "@/lib/features/previews/handle";
import { listPreviews } from "@/lib/features/previews/list";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listPreviews, async (context) =>
    sendPage(context, await listPreviews(context.caller, context.query)),
  ),
  POST: route(contract.createPreview, handle.create),
});
