import { eq, sql } from "drizzle-orm";
import type { Origin, Shopper } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { customerActivity, tenants } from "@/lib/database/schema/schema";
import { readWithin } from "@/lib/database/transaction";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";

interface Where extends Origin {
  tenantId: string;
  siteId: string;
}

interface Activity {
  customerId: string;
  action: string;
  /** The changed fields of the profile. */
  fields?: string[];
}

type Place = Pick<typeof customerActivity.$inferInsert, "auditSeq" | "eventSeq">;

async function insertActivity(
  tx: Executor,
  where: Where,
  { customerId, action, fields = [] }: Activity,
  place: Place = {},
): Promise<void> {
  const { tenantId, siteId, requestId, address, agent } = where;
  await tx.insert(customerActivity).values({
    tenantId,
    activityId: newId("act"),
    ...place,
    customerId,
    occurredAt: new Date(),
    action,
    siteId,
    fields,
    requestId,
    address,
    agent,
  });
}

/** Records customer activity that is not an event. */
export const noteActivity = (tx: Executor, where: Where, activity: Activity): Promise<void> =>
  insertActivity(tx, where, activity);

/**
 * Records customer activity that is also an event. Its number comes from the tenant's row, which stays locked until the transaction ends:
 * write events last. So numbers are in commit order, and a reader of the feed never misses an event with a lower number.
 */
export async function noteEvent(tx: Transaction, where: Where, activity: Activity): Promise<void> {
  const [place] = await tx
    .update(tenants)
    .set({ eventSeq: sql`${tenants.eventSeq} + 1` })
    .where(eq(tenants.tenantId, where.tenantId))
    .returning({ auditSeq: tenants.auditSeq, eventSeq: tenants.eventSeq });
  if (!place) throw new Error(`There is no tenant ${where.tenantId} to write an event for.`);
  await insertActivity(tx, where, activity, place);
}

const manyEvents = `insert into customer_activity (tenant_id, activity_id, customer_id, occurred_at, action, site_id, fields, request_id, address, agent, audit_seq, event_seq)
  select $1, n.activity_id, n.customer_id, $2::timestamptz, $3, n.site_id, '[]'::jsonb, $4, '', '', $5::bigint, $6::bigint + n.place
  from unnest($7::text[], $8::text[], $9::text[]) with ordinality as n (activity_id, customer_id, site_id, place)`;

/** Like `noteEvent`, for the same event of many customers; it has no address. */
export async function noteEvents(
  tx: Transaction,
  tenantId: string,
  { action, requestId }: { action: string; requestId: string },
  about: readonly { customerId: string; siteIds: readonly string[] }[],
): Promise<void> {
  if (about.length === 0) return;
  const [place] = await tx
    .update(tenants)
    .set({ eventSeq: sql`${tenants.eventSeq} + ${about.length}` })
    .where(eq(tenants.tenantId, tenantId))
    .returning({ auditSeq: tenants.auditSeq, eventSeq: tenants.eventSeq });
  if (!place) throw new Error(`There is no tenant ${tenantId} to write events for.`);
  await readWithin(tx, manyEvents, [
    ...[tenantId, new Date().toISOString(), action, requestId],
    ...[place.auditSeq, place.eventSeq - about.length],
    about.map(() => newId("act")),
    about.map(({ customerId }) => customerId),
    about.map(({ siteIds }) => siteIds[0] ?? ""),
  ]);
}

/** The actor and request for an audit entry about an action of a customer. */
export function actingAsCustomer(
  { tenantId, requestId, address, agent }: Where,
  customerId: string,
) {
  return {
    tenantId,
    actor: { type: "customer" as const, id: customerId },
    requestId,
    address,
    agent,
  };
}

const waitMilliseconds = 2000;
const maxFailed = 1000;

interface State {
  failed: { shopper: Shopper; customerId: string }[];
  /** Sign-ins of logins that do not exist, and failed ones past the maximum that is kept. */
  unknown: number;
  dropped: number;
  timer: NodeJS.Timeout | undefined;
  /** Serializes writes: a flush waits for the previous one. */
  written: Promise<void>;
}

const state = perProcess<State>("failed-customer-logins", () => ({
  failed: [],
  unknown: 0,
  dropped: 0,
  timer: undefined,
  written: Promise.resolve(),
}));

/** Queues a failed sign-in of a customer to be stored after the response, whose timing must reveal nothing. The input is never stored. */
export function noteFailedLogin(shopper: Shopper, customerId: string | undefined): void {
  const current = state();
  if (customerId === undefined) current.unknown += 1;
  else if (current.failed.length < maxFailed) current.failed.push({ shopper, customerId });
  else current.dropped += 1;
  current.timer ??= setTimeout(() => void flushFailedShoppers(), waitMilliseconds).unref();
}

/** Stores all queued sign-ins. */
export function flushFailedShoppers(): Promise<void> {
  const current = state();
  current.written = current.written.then(writeNoted);
  return current.written;
}

async function writeNoted(): Promise<void> {
  const current = state();
  clearTimeout(current.timer);
  const { failed, unknown, dropped } = current;
  Object.assign(current, { failed: [], unknown: 0, dropped: 0, timer: undefined });
  if (unknown + dropped > 0)
    log().info(
      { unknown, dropped },
      "shoppers' sign-ins of unknown logins, and failed ones too many to record",
    );
  for (const { shopper, customerId } of failed) {
    await noteActivity(db(), shopper, { customerId, action: "login-failed" }).catch(
      (error: unknown) =>
        log().warn({ err: error }, "a customer's failed sign-in was not recorded"),
    );
  }
}
