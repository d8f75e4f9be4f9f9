import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/previews/contract";
import * as handle from "@/lib/previews/handle";
import { listPreviews } from "@/lib/previews/list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listPreviews, async (context) => sendPage(context, await listPreviews(context.caller, context.query))),
  POST: route(contract.createPreview, handle.create),
});
