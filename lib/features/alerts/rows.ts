import { and, desc, eq, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { alertEntries, alerts } from "@/lib/database/schema/schema";
import { durationText } from "@/lib/protocol/durations";
import { ApiError } from "@/lib/protocol/errors";
import type { Alert, AlertEntry } from "./contract";
import { maxEntries, shortWindowMinutes } from "./values";

export type AlertRow = typeof alerts.$inferSelect;
export type EntryRow = typeof alertEntries.$inferSelect;

/** Identifies one rule. With `site` set, only a rule of that site matches. */
export interface AlertKey {
  tenantId: string;
  alertId: string;
  site?: string | undefined;
}

const byKey = ({ tenantId, alertId, site }: AlertKey): SQL | undefined =>
  and(
    eq(alerts.tenantId, tenantId),
    eq(alerts.alertId, alertId),
    site === undefined ? undefined : eq(alerts.siteId, site),
  );

const notFound = () => new ApiError("alert.not-found", "There is no such alert in this tenant.");

export async function findAlertRow(
  key: AlertKey,
  on: Executor = db(),
): Promise<AlertRow | undefined> {
  const [row] = await on.select().from(alerts).where(byKey(key));
  return row;
}

/** Throws 404. */
export async function getAlertRow(key: AlertKey, on?: Executor): Promise<AlertRow> {
  const row = await findAlertRow(key, on);
  if (!row) throw notFound();
  return row;
}

interface Listing {
  tenantId: string;
  site: string | undefined;
  status: AlertRow["status"] | undefined;
  before: string | undefined;
  limit: number;
}

/** At most `limit` rules before the given one, newest first. */
export const selectAlerts = ({ tenantId, site, status, before, limit }: Listing) =>
  db()
    .select()
    .from(alerts)
    .where(
      and(
        eq(alerts.tenantId, tenantId),
        site === undefined ? undefined : eq(alerts.siteId, site),
        status === undefined ? undefined : eq(alerts.status, status),
        before === undefined ? undefined : lt(alerts.alertId, before),
      ),
    )
    .orderBy(desc(alerts.alertId))
    .limit(limit);

export async function insertAlert(
  tx: Transaction,
  row: typeof alerts.$inferInsert,
): Promise<AlertRow> {
  const [created] = await tx.insert(alerts).values(row).returning();
  if (!created) throw new Error("An alert was gone as soon as created.");
  return created;
}

type Settable = Omit<PgUpdateSetSource<typeof alerts>, "tenantId" | "alertId" | "revision">;
const nextRevision = sql`${alerts.revision} + 1`;

/** Changes a rule and returns the changed row. Throws 404. */
export async function setAlert(
  tx: Executor,
  { tenantId, alertId }: Pick<AlertRow, "tenantId" | "alertId">,
  set: Settable,
): Promise<AlertRow> {
  const [row] = await tx
    .update(alerts)
    .set({ ...set, revision: nextRevision })
    .where(byKey({ tenantId, alertId }))
    .returning();
  if (!row) throw notFound();
  return row;
}

/** Locks the rule's row by a write that changes nothing, and returns it. Throws 404. */
export async function lockAlert(tx: Transaction, key: AlertKey): Promise<AlertRow> {
  const { name } = await getAlertRow(key, tx);
  const [row] = await tx.update(alerts).set({ name }).where(byKey(key)).returning();
  if (!row) throw notFound();
  return row;
}

export async function deleteAlertRow(tx: Transaction, key: AlertKey): Promise<void> {
  await tx.delete(alerts).where(byKey(key));
}

type Entry = Pick<EntryRow, "at" | "kind"> &
  Partial<Pick<EntryRow, "reading" | "threshold" | "reason" | "userId" | "until">>;

/** Adds an entry to the history of a rule that the transaction has locked, and deletes the oldest entries beyond the limit. */
export async function addEntry(
  tx: Transaction,
  { tenantId, alertId }: Pick<AlertRow, "tenantId" | "alertId">,
  entry: Entry,
): Promise<void> {
  const next = { entries: sql`${alerts.entries} + 1` };
  const { entries: number } = await setAlert(tx, { tenantId, alertId }, next);
  await tx.insert(alertEntries).values({ tenantId, alertId, number, ...entry });
  const ofAlert = and(eq(alertEntries.tenantId, tenantId), eq(alertEntries.alertId, alertId));
  await tx.delete(alertEntries).where(and(ofAlert, lte(alertEntries.number, number - maxEntries)));
}

/** At most `limit` entries of a rule's history before the given one, newest first. */
export const selectEntries = (
  { tenantId, alertId }: AlertKey,
  before: number | undefined,
  limit: number,
) =>
  db()
    .select()
    .from(alertEntries)
    .where(
      and(
        eq(alertEntries.tenantId, tenantId),
        eq(alertEntries.alertId, alertId),
        before === undefined ? undefined : lt(alertEntries.number, before),
      ),
    )
    .orderBy(desc(alertEntries.number))
    .limit(limit);

/** The newest entry that is the start or end of a firing. */
export async function findNewestFiring({
  tenantId,
  alertId,
}: Pick<AlertRow, "tenantId" | "alertId">): Promise<EntryRow | undefined> {
  const [row] = await db()
    .select()
    .from(alertEntries)
    .where(
      and(
        eq(alertEntries.tenantId, tenantId),
        eq(alertEntries.alertId, alertId),
        inArray(alertEntries.kind, ["fired", "resolved"]),
      ),
    )
    .orderBy(desc(alertEntries.number))
    .limit(1);
  return row;
}

const iso = (at: Date | null) => at?.toISOString() ?? null;
const nothing = { value: null, shortValue: null, calls: null };

/** The response representation of a rule. */
export function toAlert(row: AlertRow, now = new Date()): Alert {
  const { alertId: id, name, measure, filter, threshold, windowMinutes, minimumCount } = row;
  const { mailTo, mutedUntil, reading, status, since, checkedTo, acknowledgedAt, acknowledgedBy } =
    row;
  return {
    ...{ id, name, measure, filter, threshold, minimumCount, mailTo },
    window: durationText(windowMinutes * 60),
    shortWindow: durationText(shortWindowMinutes(windowMinutes) * 60),
    createdAt: row.createdAt.toISOString(),
    mutedUntil: mutedUntil && mutedUntil > now ? iso(mutedUntil) : null,
    state: {
      ...{ status, since: since.toISOString(), checkedTo: iso(checkedTo) },
      ...(reading ?? nothing),
      ...{ acknowledgedAt: iso(acknowledgedAt), acknowledgedBy },
    },
  };
}

/** The response representation of a history entry. */
export function toEntry(row: EntryRow): AlertEntry {
  const { number, at, kind, reason, reading, threshold, until, userId } = row;
  return {
    ...{ number, at: at.toISOString(), kind, reason },
    ...(reading ?? nothing),
    ...{ threshold, until: iso(until), userId },
  };
}
