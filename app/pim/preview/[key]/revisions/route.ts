import * as contract from "@/lib/features/previews/contract";
import { listRevisions } from "@/lib/features/previews/list";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listPreviewRevisions, async (context) =>
    sendPage(context, await listRevisions(context.caller, context.params.key, context.query)),
  ),
});
