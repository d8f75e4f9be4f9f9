import { firstAnswer, firstPage } from "@/app/(portal)/first-page";
import { one } from "@/app/(portal)/portal-page";
import { Seeds } from "@/components/shell/seed";
import { webhookKeys } from "@/components/webhooks/query-keys";
import { WebhookPage } from "@/components/webhooks/webhook-page";
import type { Caller } from "@/lib/access/caller";
import * as contract from "@/lib/features/destinations/webhooks/contract";
import { listWebhookDeliveries } from "@/lib/features/destinations/webhooks/deliveries-contract";
import { listDeliveries } from "@/lib/features/destinations/webhooks/redeliver";
import { getWebhook } from "@/lib/features/destinations/webhooks/service";

type Query = Record<string, string | string[] | undefined>;

/** The page of a webhook with the deliveries that match the address. */
export async function webhookFor(caller: Caller, id: string, query: Query) {
  const filters = { status: one(query.status) ?? "", type: one(query.type) ?? "" };
  const wanted = Object.entries(filters).filter(([, value]) => value !== "");
  const [webhook, deliveries] = await Promise.all([
    firstAnswer(contract.getWebhook, getWebhook(caller, id)),
    firstPage(caller, listWebhookDeliveries, (_, given) => listDeliveries(caller, id, given), {
      limit: "50",
      ...Object.fromEntries(wanted),
    }),
  ]);
  return (
    <Seeds
      entries={[
        [webhookKeys.one(caller.tenantId, id), webhook],
        [webhookKeys.deliveries(caller.tenantId, id, filters), deliveries],
      ]}
    >
      <WebhookPage id={id} />
    </Seeds>
  );
}
