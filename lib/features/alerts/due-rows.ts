import { and, eq, inArray, isNull, lt, lte, or } from "drizzle-orm";
import { db, type Executor, transaction } from "@/lib/database/open";
import { alerts } from "@/lib/database/schema/schema";
import { announce } from "./announce";
import { type AlertRow, addEntry } from "./rows";

/**
 * Takes rules that are due, by moving their time on: of several processes that try it at once each rule goes to one. What that process does
 * not finish is done a minute later, by whichever takes it then.
 */
export function claimDue(
  tenantId: string,
  { now, next, limit }: { now: Date; next: Date; limit: number },
): Promise<AlertRow[]> {
  const ofTenant = and(eq(alerts.tenantId, tenantId), lte(alerts.dueAt, now));
  const ids = db().select({ id: alerts.alertId }).from(alerts).where(ofTenant).limit(limit);
  return db()
    .update(alerts)
    .set({ dueAt: next })
    .where(and(ofTenant, inArray(alerts.alertId, ids)))
    .returning();
}

/** What a check found. */
export type Outcome = Pick<AlertRow, "status" | "reading"> & { checkedTo: Date };

/** Writes what was found, unless the rule changed since the row was read, or a later check was written. Undefined then. */
async function setChecked(
  on: Executor,
  row: AlertRow,
  set: Partial<AlertRow> & { checkedTo: Date },
): Promise<AlertRow | undefined> {
  const [after] = await on
    .update(alerts)
    .set(set)
    .where(
      and(
        eq(alerts.tenantId, row.tenantId),
        eq(alerts.alertId, row.alertId),
        eq(alerts.revision, row.revision),
        or(isNull(alerts.checkedTo), lt(alerts.checkedTo, set.checkedTo)),
      ),
    )
    .returning();
  return after;
}

/** What is announced of a firing: its beginning or its end. A muted one is announced once it is heard again. */
function announcementOf(row: AlertRow, status: AlertRow["status"], now: Date) {
  const isMuted = row.mutedUntil !== null && row.mutedUntil > now;
  if (status === "firing") return row.isAnnounced || isMuted ? undefined : "fired";
  return row.status === "firing" && row.isAnnounced ? "resolved" : undefined;
}

/**
 * Writes the outcome of a check. A firing or its end, its entry in the history and the event are one transaction: the second process with
 * the same writes nothing, so nothing is said twice.
 */
export async function saveOutcome(row: AlertRow, outcome: Outcome, now: Date): Promise<void> {
  const { status, reading, checkedTo } = outcome;
  const isChanged = status !== row.status;
  const isTransition = isChanged && (status === "firing" || row.status === "firing");
  const announcement = announcementOf(row, status, now);
  const set = { ...outcome, ...(isChanged ? { since: checkedTo } : {}) };
  if (!isTransition && !announcement) {
    await setChecked(db(), row, set);
    return;
  }
  const ended = { isAnnounced: false, acknowledgedAt: null, acknowledgedBy: null };
  const announced = announcement ? { isAnnounced: true } : {};
  const kind = status === "firing" ? ("fired" as const) : ("resolved" as const);
  const reason = status === "no-data" ? ("no-data" as const) : ("recovered" as const);
  await transaction(async (tx) => {
    const written = { ...set, ...(status === "firing" ? announced : ended) };
    const after = await setChecked(tx, row, { ...written, revision: row.revision + 1 });
    if (!after) return;
    const { threshold } = row;
    const ofEnd = kind === "resolved" ? { reason } : {};
    if (isTransition)
      await addEntry(tx, row, { at: checkedTo, kind, reading, threshold, ...ofEnd });
    if (announcement) await announce(tx, announcement, after, ofEnd.reason);
  });
}
