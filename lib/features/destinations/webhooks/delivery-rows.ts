import { sql } from "drizzle-orm";
import { type Executor, transaction } from "@/lib/database/open";
import type { CloudEvent } from "@/lib/features/events/contract";
import { recordAttempts } from "@/lib/features/events/delivery/attempt";
import { type DestinationLease, store } from "@/lib/features/events/delivery/lease";
import { choiceOf, type EventFilter, eventOf, withoutValues } from "@/lib/features/events/event";
import {
  type Choice,
  chosenRowsAfter,
  type FeedPosition,
  rowsAfter,
} from "@/lib/features/events/rows";
import { feedStart } from "@/lib/features/events/service";
import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery";
import { assertLeaseWithin } from "./rows";

const minuteMs = 60_000;

/** An event with its position in the feed, and its body as sent to endpoints. */
export interface FeedEvent {
  position: FeedPosition;
  event: CloudEvent;
  body: string;
}

/** The next events after a position and since an instant, without values. */
export async function readEventsSince(
  tenantId: string,
  { auditSeq, eventSeq }: FeedPosition,
  from: Date,
  { limit, choice }: { limit: number; choice?: Choice | undefined },
): Promise<FeedEvent[]> {
  const position = { auditSeq, eventSeq };
  const rows = await (choice
    ? chosenRowsAfter(tenantId, position, from, { ...choice, limit })
    : rowsAfter(tenantId, position, from, limit));
  return rows.map((row) => {
    const event = withoutValues(eventOf(tenantId, row));
    const position = { auditSeq: row.auditSeq, eventSeq: row.eventSeq };
    return { position, event, body: JSON.stringify(event) };
  });
}

/** The same for the last 30 days and a filter: only matching events cost time. Concurrent reads of several endpoints share a query. */
export function readEvents(
  tenantId: string,
  position: FeedPosition,
  limit: number,
  { types, site }: EventFilter,
): Promise<FeedEvent[]> {
  const from = new Date(Math.floor(feedStart().getTime() / minuteMs) * minuteMs);
  return readEventsSince(tenantId, position, from, { limit, choice: choiceOf(types, site) });
}

/*
 * The delivery state of each event for each webhook. A pending row has `due_at`, unless it waits for an earlier pending event of its
 * subject. Once that one is delivered or given up, the later rows become due.
 */

interface Outcome {
  eventId: string;
  state: "pending" | "delivered" | "failed";
  dueAt: Date | null;
  attempts: number;
  log: DeliveryAttempt[];
}

export interface Delivery extends Outcome {
  auditSeq: number;
  eventSeq: number;
  type: string;
  subject: string;
  body: string;
}

/** The columns of the webhook's row after some deliveries. */
interface Progress {
  auditSeq: number;
  eventSeq: number;
  failingSince: Date | null;
  failures: number;
}

const columns = `"eventId" text, "auditSeq" bigint, "eventSeq" bigint, type text, subject text, body text, state text,
  "createdAt" timestamptz, "dueAt" timestamptz, attempts integer, log jsonb`;

const recordText = `with held as (
    update webhooks set audit_seq = $4, event_seq = $5, failing_since = $6, failures = $7, lease_beat = lease_beat + 1
    where tenant_id = $1 and webhook_id = $2 and lease_holder = $3 returning tenant_id, webhook_id
  ), added as (
    insert into webhook_deliveries (tenant_id, webhook_id, event_id, audit_seq, event_seq, type, subject, body, state, created_at, due_at, attempts, log)
    select held.tenant_id, held.webhook_id, d."eventId", d."auditSeq", d."eventSeq", d.type, d.subject, d.body, d.state, d."createdAt", d."dueAt", d.attempts, d.log
    from held, jsonb_to_recordset($8::jsonb) as d(${columns})
    on conflict (tenant_id, webhook_id, event_id) do nothing
  ) select webhook_id from held`;

/** Stores outcomes and advances the webhook's position, in one statement. If the lease is lost, writes nothing and returns false. */
export const recordDeliveries = (
  lease: DestinationLease,
  progress: Progress,
  deliveries: readonly Delivery[],
): Promise<boolean> =>
  recordAttempts(deliveries, (rows) => insertDeliveries(lease, progress, rows));

async function insertDeliveries(
  { tenantId, destinationId: webhookId, holder }: DestinationLease,
  { auditSeq, eventSeq, failingSince, failures }: Progress,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const createdAt = new Date();
  const rows = JSON.stringify(deliveries.map((one) => ({ ...one, createdAt })));
  const values = [tenantId, webhookId, holder, auditSeq, eventSeq, failingSince, failures, rows];
  const result = await store().$client.query(
    { name: "record-deliveries", text: recordText },
    values,
  );
  return result.rows.length > 0;
}

type Row = Omit<Delivery, "dueAt"> & { dueAt: Date | string | null; createdAt: Date | string };

const rowColumns = sql`event_id as "eventId", audit_seq::float8 as "auditSeq", event_seq::float8 as "eventSeq", type, subject, body, state,
  due_at as "dueAt", attempts, log, created_at as "createdAt"`;

const toDelivery = ({ createdAt: _, dueAt, ...row }: Row): Delivery => ({
  ...row,
  dueAt: dueAt === null ? null : new Date(dueAt),
});

/** The pending events that are due, oldest first; `isProbe` takes the oldest one whenever it is due. */
export async function dueDeliveries(
  { tenantId, destinationId: webhookId }: DestinationLease,
  now: Date,
  limit: number,
  isProbe = false,
): Promise<Delivery[]> {
  const due = isProbe ? sql`due_at is not null` : sql`due_at <= ${now.toISOString()}::timestamptz`;
  const { rows } = await store().execute<Row & Record<string, unknown>>(
    sql`select ${rowColumns} from webhook_deliveries w where tenant_id = ${tenantId} and webhook_id = ${webhookId} and state = 'pending' and ${due}
      and not exists (select 1 from webhook_deliveries p where p.tenant_id = ${tenantId} and p.webhook_id = ${webhookId} and p.subject = w.subject
        and p.state = 'pending' and (p.audit_seq, p.event_seq) < (w.audit_seq, w.event_seq) and (p.due_at is null or p.due_at > ${now.toISOString()}::timestamptz))
      order by audit_seq, event_seq limit ${limit}`,
  );
  return rows.map(toDelivery);
}

/** The number of pending events by subject. */
export async function pendingSubjects({
  tenantId,
  destinationId: webhookId,
}: DestinationLease): Promise<Map<string, number>> {
  const { rows } = await store().execute<{ subject: string; count: number }>(
    sql`select subject, count(*)::int4 as count from webhook_deliveries where tenant_id = ${tenantId} and webhook_id = ${webhookId} and state = 'pending' group by subject`,
  );
  return new Map(rows.map(({ subject, count }) => [subject, count]));
}

const ofWebhook = ({ tenantId, destinationId: webhookId }: DestinationLease) =>
  sql`tenant_id = ${tenantId} and webhook_id = ${webhookId} and state = 'pending'`;

async function writeOutcomes(tx: Executor, lease: DestinationLease, outcomes: readonly Outcome[]) {
  await tx.execute(
    sql`update webhook_deliveries w set state = d.state, due_at = d."dueAt", attempts = d.attempts, log = d.log
      from jsonb_to_recordset(${JSON.stringify(outcomes.map(({ eventId, state, dueAt, attempts, log }) => ({ eventId, state, dueAt, attempts, log })))}::jsonb) as d("eventId" text, state text, "dueAt" timestamptz, attempts integer, log jsonb)
      where w.tenant_id = ${lease.tenantId} and w.webhook_id = ${lease.destinationId} and w.event_id = d."eventId"`,
  );
}

/** A list of texts for PostgreSQL, as one parameter. */
const listOf = (texts: readonly string[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb))`;

/** Makes the events of these subjects wait for the given ones. */
async function park(tx: Executor, lease: DestinationLease, subjects: string[], except: string[]) {
  if (subjects.length === 0) return;
  await tx.execute(
    sql`update webhook_deliveries set due_at = null where ${ofWebhook(lease)} and subject = any(${listOf(subjects)}) and event_id <> all(${listOf(except)})`,
  );
}

/** Makes waiting events of these subjects due. */
async function unpark(tx: Executor, lease: DestinationLease, subjects: string[], now: Date) {
  if (subjects.length === 0) return;
  await tx.execute(
    sql`update webhook_deliveries set due_at = ${now.toISOString()}::timestamptz where ${ofWebhook(lease)} and subject = any(${listOf(subjects)}) and due_at is null`,
  );
}

type Settled = Outcome & { subject: string };
type Health = Partial<Pick<Progress, "failingSince" | "failures">>;

/** Stores the outcomes of events that already have a row. `outcomes` has those of each subject in order; false when the lease is lost. */
export const settleDeliveries = (
  lease: DestinationLease,
  progress: Health,
  outcomes: readonly Settled[],
): Promise<boolean> => recordAttempts(outcomes, (rows) => updateDeliveries(lease, progress, rows));

async function updateDeliveries(
  lease: DestinationLease,
  progress: Health,
  outcomes: readonly Settled[],
): Promise<boolean> {
  const now = new Date();
  return transaction(async (tx) => {
    if (!(await assertLeaseWithin(tx, lease, progress))) return false;
    await writeOutcomes(tx, lease, outcomes);
    const waiting = outcomes.filter(({ state }) => state === "pending");
    const blocked = new Set(waiting.map(({ subject }) => subject));
    const free = new Set(outcomes.map(({ subject }) => subject).filter((one) => !blocked.has(one)));
    await park(
      tx,
      lease,
      [...blocked],
      waiting.map(({ eventId }) => eventId),
    );
    await unpark(tx, lease, [...free], now);
    return true;
  }, store());
}

/** Makes pending events that are scheduled for later due now, after a probe succeeded; those without `due_at` still wait. */
export async function makePendingDue(lease: DestinationLease): Promise<void> {
  const now = new Date().toISOString();
  await store().execute(
    sql`update webhook_deliveries set due_at = ${now}::timestamptz where ${ofWebhook(lease)} and due_at > ${now}::timestamptz`,
  );
}

/**
 * Releases the lease and stores when the webhook is due next: at `notBefore`, or when its next event is due. Locks the row first, so that a
 * concurrent change of due events is either visible or happens after this.
 */
export async function releaseLease(lease: DestinationLease, notBefore: Date | null): Promise<void> {
  const { tenantId, destinationId: webhookId } = lease;
  await transaction(async (tx) => {
    if (!(await assertLeaseWithin(tx, lease, { leaseHolder: null }))) return;
    const { rows } = await tx.execute<{ dueAt: string | null }>(
      sql`select min(due_at) as "dueAt" from webhook_deliveries where tenant_id = ${tenantId} and webhook_id = ${webhookId} and due_at is not null`,
    );
    const dueAt = notBefore?.toISOString() ?? rows[0]?.dueAt ?? null;
    await tx.execute(
      sql`update webhooks set due_at = ${dueAt}::timestamptz where tenant_id = ${tenantId} and webhook_id = ${webhookId}`,
    );
  }, store());
}
