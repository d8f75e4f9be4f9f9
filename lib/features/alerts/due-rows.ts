import { and, eq, inArray, isNull, lt, lte, or } from "drizzle-orm";
import { db, type Executor, transaction } from "@/lib/database/open";
import { alerts } from "@/lib/database/schema/schema";
import { announce } from "./announce";
import { type AlertRow, addEntry } from "./rows";

/**
 * Claims rules that are due by advancing their due time: only one of several concurrent processes gets a rule. Rules that it does not
 * finish are due again a minute later, for any process.
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

/** Saves the outcome. Returns undefined, and saves nothing, if the rule changed since the row was read or a later check was saved. */
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

/** Whether the start or the end of a firing has to be announced. The start of a muted firing is announced once the mute ends. */
function announcementOf(row: AlertRow, status: AlertRow["status"], now: Date) {
  const isMuted = row.mutedUntil !== null && row.mutedUntil > now;
  if (status === "firing") return row.isAnnounced || isMuted ? undefined : "fired";
  return row.status === "firing" && row.isAnnounced ? "resolved" : undefined;
}

/**
 * Saves the outcome of a check. The start or end of a firing, its history entry and its event are one transaction: a second process with
 * the same outcome writes nothing, so nothing is announced twice.
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
