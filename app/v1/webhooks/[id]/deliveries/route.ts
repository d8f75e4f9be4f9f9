import * as contract from "@/lib/features/destinations/webhooks/deliveries-contract";
import { listDeliveries } from "@/lib/features/destinations/webhooks/redeliver";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listWebhookDeliveries, async (context) => {
    const { caller, params, query } = context;
    return sendPage(context, await listDeliveries(caller, params.id, query));
  }),
});
