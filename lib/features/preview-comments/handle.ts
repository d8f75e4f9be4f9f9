import type { HandlerOf } from "@/lib/http/context";
import { created } from "@/lib/http/created";
import { sendPage } from "@/lib/http/send-page";
import type * as contract from "./contract";
import { createComment, listComments } from "./service";

export const list: HandlerOf<typeof contract.listPreviewComments> = async (context) =>
  sendPage(context, await listComments(context.caller, context.params.key, context.query));

export const create: HandlerOf<typeof contract.createPreviewComment> = async (context) =>
  created(context, `/pim/preview/${context.params.key}/comments`, await createComment(context));
