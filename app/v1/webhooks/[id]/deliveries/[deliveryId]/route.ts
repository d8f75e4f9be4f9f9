import * as contract from "@/lib/features/destinations/webhooks/deliveries-contract";
import { getDelivery } from "@/lib/features/destinations/webhooks/redeliver";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getWebhookDelivery, ({ caller, params }) =>
    getDelivery(caller, params.id, params.deliveryId),
  ),
});
