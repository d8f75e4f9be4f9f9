import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { databaseOn, lane, read } from "@/lib/database/open";
import { webhooks } from "@/lib/database/schema/schema";
import { byId, type WebhookRow } from "./rows";

/*
 * One process at a time delivers to a webhook. It holds the lease: its id stands in the row, and it raises the counter beside it at least
 * once a second. Another process takes the lease over once it has seen the same id and counter for so long. No clock is compared with
 * another one's. Whatever the holder writes says that the lease is its own, so that one that was taken over writes nothing.
 */

/** The lease of one process on one webhook. */
export interface Lease {
  tenantId: string;
  webhookId: string;
  holder: string;
}

/** The connections of the delivery. */
export const store = () => databaseOn(lane("deliveries"));

const heldBy = ({ tenantId, webhookId, holder }: Lease) =>
  and(byId(tenantId, webhookId), eq(webhooks.leaseHolder, holder));

export interface LeaseState {
  webhookId: string;
  auditSeq: number;
  eventSeq: number;
  dueAt: Date | null;
  leaseHolder: string | null;
  leaseBeat: number;
  failures: number;
}

const states = `select webhook_id as "webhookId", audit_seq::float8 as "auditSeq", event_seq::float8 as "eventSeq", due_at as "dueAt",
  lease_holder as "leaseHolder", lease_beat::float8 as "leaseBeat", failures from webhooks where tenant_id = $1 and disabled_at is null order by webhook_id`;

/** The enabled webhooks of a tenant. */
export const enabledWebhooks = (tenantId: string): Promise<readonly LeaseState[]> =>
  read<LeaseState>("enabled-webhooks", states, [tenantId]);

const nextBeat = { leaseBeat: sql`${webhooks.leaseBeat} + 1` };

/** Takes the lease where nothing has changed since `seen` was read. */
export async function claimLease(lease: Lease, seen: LeaseState): Promise<boolean> {
  const { tenantId, webhookId, holder } = lease;
  const free =
    seen.leaseHolder === null
      ? isNull(webhooks.leaseHolder)
      : eq(webhooks.leaseHolder, seen.leaseHolder);
  const unchanged = and(free, eq(webhooks.leaseBeat, seen.leaseBeat), isNull(webhooks.disabledAt));
  const rows = await store()
    .update(webhooks)
    .set({ leaseHolder: holder, ...nextBeat })
    .where(and(byId(tenantId, webhookId), unchanged))
    .returning({ id: webhooks.webhookId });
  return rows.length > 0;
}

/** Raises the counters of leases of one tenant. */
export async function keepLeases(
  tenantId: string,
  webhookIds: string[],
  holder: string,
): Promise<void> {
  await store()
    .update(webhooks)
    .set(nextBeat)
    .where(
      and(
        eq(webhooks.tenantId, tenantId),
        inArray(webhooks.webhookId, webhookIds),
        eq(webhooks.leaseHolder, holder),
      ),
    );
}

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
