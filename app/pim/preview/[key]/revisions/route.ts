import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/previews/contract";
import { listRevisions } from "@/lib/previews/list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listPreviewRevisions, async (context) =>
    sendPage(context, await listRevisions(context.caller, context.params.key, context.query)),
  ),
});
