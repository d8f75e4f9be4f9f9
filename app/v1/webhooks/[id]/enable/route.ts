import * as contract from "@/lib/features/destinations/webhooks/contract";
import { enableWebhook } from "@/lib/features/destinations/webhooks/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.enableWebhook, ({ caller, params }) => enableWebhook(caller, params.id)),
});
