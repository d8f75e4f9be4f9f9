import { and, desc, eq, like, lt } from "drizzle-orm";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { webhookDeliveries as deliveries } from "@/lib/database/schema/schema";
import { escapeLike } from "@/lib/protocol/text";
import type { WebhookDelivery } from "./deliveries-contract";

type Row = typeof deliveries.$inferSelect;

const listed = {
  eventId: deliveries.eventId,
  type: deliveries.type,
  subject: deliveries.subject,
  state: deliveries.state,
  createdAt: deliveries.createdAt,
  dueAt: deliveries.dueAt,
  log: deliveries.log,
};

type Listed = Pick<Row, keyof typeof listed>;

export function toWebhookDelivery(row: Listed): WebhookDelivery {
  const { eventId: id, type, subject, state: status, createdAt, dueAt, log: attempts } = row;
  const nextAttemptAt = dueAt?.toISOString() ?? null;
  return { id, type, subject, status, createdAt: createdAt.toISOString(), nextAttemptAt, attempts };
}

interface Which {
  tenantId: string;
  webhookId: string;
}

interface Filters {
  status?: Row["state"] | undefined;
  /** The event type as in events; a trailing * matches any rest. */
  type?: string | undefined;
  before?: string | undefined;
  limit: number;
}

const ofType = (type: string) =>
  type.endsWith("*")
    ? like(deliveries.type, `${escapeLike(type.slice(0, -1))}%`)
    : eq(deliveries.type, type);

/** Deliveries of a webhook, newest event first. */
export const selectDeliveries = (
  { tenantId, webhookId }: Which,
  { status, type, before, limit }: Filters,
): Promise<Listed[]> =>
  db()
    .select(listed)
    .from(deliveries)
    .where(
      and(
        eq(deliveries.tenantId, tenantId),
        eq(deliveries.webhookId, webhookId),
        status && eq(deliveries.state, status),
        type === undefined ? undefined : ofType(type),
        before === undefined ? undefined : lt(deliveries.eventId, before),
      ),
    )
    .orderBy(desc(deliveries.eventId))
    .limit(limit);

const one = ({ tenantId, webhookId }: Which, eventId: string) =>
  and(
    eq(deliveries.tenantId, tenantId),
    eq(deliveries.webhookId, webhookId),
    eq(deliveries.eventId, eventId),
  );

export async function findDelivery(
  which: Which,
  eventId: string,
  on: Executor = db(),
): Promise<Row | undefined> {
  return (await on.select().from(deliveries).where(one(which, eventId)))[0];
}

type Replayed = Pick<Row, "eventId" | "auditSeq" | "eventSeq" | "type" | "subject" | "body">;

/** Makes events due, including those already sent. */
export async function makeDue(tx: Transaction, which: Which, events: Replayed[]): Promise<void> {
  if (events.length === 0) return;
  const now = new Date();
  const due = { state: "pending" as const, dueAt: now, attempts: 0 };
  const rows = events.map(({ eventId, auditSeq, eventSeq, type, subject, body }) => ({
    ...{ ...which, eventId, auditSeq, eventSeq, type, subject, body },
    ...{ ...due, createdAt: now, log: [] },
  }));
  await tx
    .insert(deliveries)
    .values(rows)
    .onConflictDoUpdate({
      target: [deliveries.tenantId, deliveries.webhookId, deliveries.eventId],
      set: due,
    });
}
