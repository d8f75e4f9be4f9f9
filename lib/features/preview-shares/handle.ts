import type { HandlerOf } from "@/lib/http/context";
import { created } from "@/lib/http/created";
import { sendPage } from "@/lib/http/send-page";
import type * as contract from "./contract";
import { createShare, listShares } from "./service";

export const list: HandlerOf<typeof contract.listPreviewShares> = async (context) =>
  sendPage(context, await listShares(context.caller, context.params.key, context.query));

export const create: HandlerOf<typeof contract.createPreviewShare> = async (context) =>
  created(context, `/pim/preview/${context.params.key}/shares`, await createShare(context));
