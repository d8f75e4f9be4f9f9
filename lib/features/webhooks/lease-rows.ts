import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "@/lib/database/open";
import { webhooks } from "@/lib/database/schema/schema";
import { record } from "@/lib/features/audit/service";
import { actingAsSystem } from "@/lib/features/audit/system";
import { type DestinationLease, leasesOn, store } from "@/lib/features/delivery/lease";
import { log } from "@/lib/protocol/log";
import { byId, getWebhookRow, type WebhookRow } from "./rows";

export const webhookLeases = leasesOn({
  name: "webhooks",
  id: "webhook_id",
  eventSeq: "event_seq",
});

const heldBy = ({ tenantId, destinationId, holder }: DestinationLease) =>
  and(byId(tenantId, destinationId), eq(webhooks.leaseHolder, holder));

const nextBeat = { leaseBeat: sql`${webhooks.leaseBeat} + 1` };

/** The webhook as it is now; undefined where it is disabled or deleted, or the lease is another process's. */
export async function leasedWebhook(lease: DestinationLease): Promise<WebhookRow | undefined> {
  const [row] = await store()
    .select()
    .from(webhooks)
    .where(and(heldBy(lease), isNull(webhooks.disabledAt)));
  return row;
}

/** Whether the lease is still held. Within a transaction nobody can take it over until that ends. */
export async function assertLeaseWithin(
  tx: Pick<ReturnType<typeof store>, "update">,
  lease: DestinationLease,
  set: Partial<WebhookRow> = {},
): Promise<boolean> {
  const rows = await tx
    .update(webhooks)
    .set({ ...set, ...nextBeat })
    .where(heldBy(lease))
    .returning({ id: webhooks.webhookId });
  return rows.length > 0;
}

/** Disables an endpoint on behalf of the service: the entry of the trail, which is an event too, says why. */
export async function disableFailing(
  lease: DestinationLease,
  reason: "failing" | "gone",
): Promise<void> {
  const { tenantId, destinationId: webhookId } = lease;
  const off = { disabledAt: new Date(), disabledReason: reason, leaseHolder: null } as const;
  await transaction(async (tx) => {
    if (!(await assertLeaseWithin(tx, lease, off))) return;
    const { url } = await getWebhookRow(tenantId, webhookId, tx);
    await record(tx, actingAsSystem(tenantId, "webhooks"), {
      action: "webhook.disabled",
      target: { type: "webhook", id: webhookId, name: new URL(url).host.slice(0, 128) },
      changes: { reason: { after: reason } },
    });
  });
  log().warn({ tenantId, webhookId, reason }, "a webhook was disabled");
}
