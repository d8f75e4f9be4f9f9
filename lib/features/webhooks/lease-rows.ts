import { and, eq, isNull, sql } from "drizzle-orm";
import { webhooks } from "@/lib/database/schema/schema";
import { leasesOn, store } from "@/lib/features/delivery/lease-rows";
import { byId, type WebhookRow } from "./rows";

/** The lease of one process on one webhook. */
export interface Lease {
  tenantId: string;
  webhookId: string;
  holder: string;
}

export const webhookLeases = leasesOn({
  name: "webhooks",
  id: "webhook_id",
  eventSeq: "event_seq",
});

const heldBy = ({ tenantId, webhookId, holder }: Lease) =>
  and(byId(tenantId, webhookId), eq(webhooks.leaseHolder, holder));

const nextBeat = { leaseBeat: sql`${webhooks.leaseBeat} + 1` };

/** The webhook as it is now; undefined where it is disabled or deleted, or the lease is another process's. */
export async function leasedWebhook(lease: Lease): Promise<WebhookRow | undefined> {
  const [row] = await store()
    .select()
    .from(webhooks)
    .where(and(heldBy(lease), isNull(webhooks.disabledAt)));
  return row;
}

/** Whether the lease is still held. Within a transaction nobody can take it over until that ends. */
export async function assertLeaseWithin(
  tx: Pick<ReturnType<typeof store>, "update">,
  lease: Lease,
  set: Partial<WebhookRow> = {},
): Promise<boolean> {
  const rows = await tx
    .update(webhooks)
    .set({ ...set, ...nextBeat })
    .where(heldBy(lease))
    .returning({ id: webhooks.webhookId });
  return rows.length > 0;
}
