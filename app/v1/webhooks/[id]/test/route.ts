import * as contract from "@/lib/features/destinations/webhooks/contract";
import { testWebhook } from "@/lib/features/destinations/webhooks/sample";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.testWebhook, ({ caller, params }) => testWebhook(caller, params.id)),
});
