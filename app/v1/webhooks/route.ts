import * as contract from "@/lib/features/destinations/webhooks/contract";
import * as webhooks from "@/lib/features/destinations/webhooks/service";
import { methods } from "@/lib/http/methods";
import { created, sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listWebhooks, async (context) =>
    sendPage(context, await webhooks.listWebhooks(context.caller, context.query)),
  ),
  POST: route(contract.createWebhook, async (context) =>
    created(context, "/v1/webhooks", await webhooks.createWebhook(context.caller, context.body)),
  ),
});
