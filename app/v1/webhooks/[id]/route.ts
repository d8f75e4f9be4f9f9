import * as contract from "@/lib/features/destinations/webhooks/contract";
import * as webhooks from "@/lib/features/destinations/webhooks/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getWebhook, ({ caller, params }) => webhooks.getWebhook(caller, params.id)),
  PATCH: route(contract.updateWebhook, (context) =>
    webhooks.updateWebhook(context, assertUnchangedBy(context, contract.getWebhook)),
  ),
  DELETE: route(contract.deleteWebhook, (context) =>
    webhooks.deleteWebhook(context, assertUnchangedBy(context, contract.getWebhook)),
  ),
});
