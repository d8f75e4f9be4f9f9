import { randomBytes } from "node:crypto";
import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { openSealedSecret, sealSecret } from "@/lib/access/sealed";
import { db, type Executor, type Transaction, transaction } from "@/lib/database/open";
import { tenants, webhooks } from "@/lib/database/schema/schema";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { type DestinationLease, leasesOn, store } from "@/lib/features/events/delivery/lease";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import type { Webhook } from "./contract";

export type WebhookRow = typeof webhooks.$inferSelect;

export const byId = (tenantId: string, webhookId: string): SQL | undefined =>
  and(eq(webhooks.tenantId, tenantId), eq(webhooks.webhookId, webhookId));

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function toWebhook(row: WebhookRow, now = new Date()): Webhook {
  const { webhookId: id, url, types, siteId: site, description, disabledReason } = row;
  const { disabledAt, failingSince, createdAt, previousValidTo } = row;
  return {
    ...{ id, url, types, site, description, disabledReason },
    status: disabledAt === null ? "enabled" : "disabled",
    failingSince: iso(failingSince),
    createdAt: createdAt.toISOString(),
    previousSecretValidTo: previousValidTo && previousValidTo > now ? iso(previousValidTo) : null,
  };
}

const notFound = () =>
  new ApiError("webhook.not-found", "There is no such webhook in this tenant.");

/** Throws 404. */
export async function getWebhookRow(
  tenantId: string,
  webhookId: string,
  on: Executor = db(),
): Promise<WebhookRow> {
  const [row] = await on.select().from(webhooks).where(byId(tenantId, webhookId));
  if (!row) throw notFound();
  return row;
}

/** At most `limit` of the tenant's webhooks before the given one, newest first. */
export const selectWebhooks = (tenantId: string, before: string | undefined, limit: number) =>
  db()
    .select()
    .from(webhooks)
    .where(
      and(
        eq(webhooks.tenantId, tenantId),
        before === undefined ? undefined : lt(webhooks.webhookId, before),
      ),
    )
    .orderBy(desc(webhooks.webhookId))
    .limit(limit);

/** The end of the event feed. Call it while the transaction has locked the tenant's row, as `record` does. */
async function endOfFeed(tx: Transaction, tenantId: string) {
  const [end] = await tx
    .select({ auditSeq: tenants.auditSeq, eventSeq: tenants.eventSeq })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  if (!end) throw new Error(`There is no tenant ${tenantId} to send events of.`);
  return end;
}

type NewRow = Omit<typeof webhooks.$inferInsert, "auditSeq" | "eventSeq">;

/** Inserts a webhook with its position at the end of the feed; returns the row. */
export async function insertWebhook(tx: Transaction, row: NewRow): Promise<WebhookRow> {
  const end = await endOfFeed(tx, row.tenantId);
  const [created] = await tx
    .insert(webhooks)
    .values({ ...row, ...end })
    .returning();
  if (!created) throw new Error("A webhook was gone as soon as created.");
  return created;
}

type Settable = Partial<Omit<WebhookRow, "tenantId" | "webhookId">>;

/** Changes a webhook and returns the changed row. Throws 404. */
export async function setWebhook(
  tx: Executor,
  { tenantId, webhookId }: Pick<WebhookRow, "tenantId" | "webhookId">,
  set: Settable,
): Promise<WebhookRow> {
  const [row] = await tx.update(webhooks).set(set).where(byId(tenantId, webhookId)).returning();
  if (!row) throw notFound();
  return row;
}

/** Locks the webhook's row by a write that changes nothing, and returns it. Throws 404. */
export async function lockWebhook(
  tx: Transaction,
  tenantId: string,
  webhookId: string,
): Promise<WebhookRow> {
  const { url } = await getWebhookRow(tenantId, webhookId, tx);
  return setWebhook(tx, { tenantId, webhookId }, { url });
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhookRow(
  tx: Transaction,
  tenantId: string,
  webhookId: string,
): Promise<void> {
  await tx.delete(webhooks).where(byId(tenantId, webhookId));
}

const purpose = "webhook-secrets";
const secretBytes = 32;

export const newSecret = (): Buffer => randomBytes(secretBytes);

export const sealed = (secret: Buffer, webhookId: string): Buffer =>
  sealSecret(purpose, secret, webhookId);

/** The secrets that deliveries are signed with at this moment, the current one first. */
export function signingSecrets(
  row: Pick<WebhookRow, "webhookId" | "secret" | "previousSecret" | "previousValidTo">,
  now: Date,
): Buffer[] {
  const { webhookId, secret, previousSecret, previousValidTo } = row;
  const previous =
    previousSecret && previousValidTo && previousValidTo > now ? [previousSecret] : [];
  return [secret, ...previous].flatMap((one) => {
    const opened = openSealedSecret(purpose, one, webhookId);
    return opened ? [opened.bytes] : [];
  });
}

/** After a rotation of SECRET_KEY, reseals the secrets that a former key sealed. Called by the hourly cleaning. */
export async function resealSecrets(tenantId: string): Promise<void> {
  const rows = await db().select().from(webhooks).where(eq(webhooks.tenantId, tenantId));
  for (const { webhookId, secret } of rows) {
    const opened = openSealedSecret(purpose, secret, webhookId);
    if (!opened || opened.isCurrent) continue;
    const unchanged = and(byId(tenantId, webhookId), eq(webhooks.secret, secret));
    await db()
      .update(webhooks)
      .set({ secret: sealed(opened.bytes, webhookId) })
      .where(unchanged);
  }
}

export const webhookLeases = leasesOn({
  name: "webhooks",
  id: "webhook_id",
  eventSeq: "event_seq",
});

const heldBy = ({ tenantId, destinationId, holder }: DestinationLease) =>
  and(byId(tenantId, destinationId), eq(webhooks.leaseHolder, holder));

const nextBeat = { leaseBeat: sql`${webhooks.leaseBeat} + 1` };

/** The current webhook; undefined if it is disabled or deleted, or another process has the lease. */
export async function leasedWebhook(lease: DestinationLease): Promise<WebhookRow | undefined> {
  const [row] = await store()
    .select()
    .from(webhooks)
    .where(and(heldBy(lease), isNull(webhooks.disabledAt)));
  return row;
}

/** Whether the lease is still held. In a transaction, no process can take it over until the transaction ends. */
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

/** Disables an endpoint on behalf of the service; the audit entry, which is also an event, has the reason. */
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
