import * as contract from "@/lib/features/destinations/webhooks/deliveries-contract";
import { redeliverEvent } from "@/lib/features/destinations/webhooks/redeliver";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.redeliverEvent, ({ caller, params }) =>
    redeliverEvent(caller, params.id, params.deliveryId),
  ),
});
