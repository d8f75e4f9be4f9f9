import { and, asc, desc, eq, gt, gte, lt, or, sql } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { chartMarkers } from "@/lib/database/schema/schema";
import { noteKind } from "@/lib/features/metrics/values";
import { ApiError } from "@/lib/protocol/errors";
import { earlier } from "@/lib/protocol/formats";

export type MarkerRow = typeof chartMarkers.$inferSelect;

/** Per tenant; beyond it the oldest are deleted. */
export const maxMarkers = 5000;

/** The longest duration of a marker: a search for markers that reach into a range looks no further back. */
export const maxMarkerLengthMs = 31 * 86_400_000;

interface Wanted {
  tenantId: string;
  from: Date;
  /** Exclusive. */
  to: Date;
  kind?: string | undefined;
  /** Only markers after this position, for the next page. */
  before?: { at: Date; id: string } | undefined;
  limit: number;
}

/** Markers that started since then or had not ended yet. */
const reaching = (from: Date) =>
  and(
    gte(chartMarkers.at, earlier(from, maxMarkerLengthMs)),
    or(gte(chartMarkers.at, from), gt(chartMarkers.until, from)),
  );

/** Reported markers, newest first by their time. */
export const selectMarkers = ({ tenantId, from, to, kind, before, limit }: Wanted) =>
  db()
    .select()
    .from(chartMarkers)
    .where(
      and(
        eq(chartMarkers.tenantId, tenantId),
        reaching(from),
        lt(chartMarkers.at, to),
        kind === undefined ? undefined : eq(chartMarkers.kind, kind),
        before &&
          sql`(${chartMarkers.at}, ${chartMarkers.markerId}) < (${before.at.toISOString()}::timestamptz, ${before.id})`,
      ),
    )
    .orderBy(desc(chartMarkers.at), desc(chartMarkers.markerId))
    .limit(limit);

/** Adds a marker, and deletes the tenant's oldest ones beyond the limit. The transaction must have locked the tenant's row. */
export async function insertMarker(tx: Transaction, row: MarkerRow): Promise<void> {
  await tx.insert(chartMarkers).values(row);
  const { tenantId } = row;
  await tx.execute(sql`delete from chart_markers where tenant_id = ${tenantId} and marker_id <= (
    select marker_id from chart_markers where tenant_id = ${tenantId}
    order by marker_id desc offset ${maxMarkers} limit 1)`);
}

const byId = (tenantId: string, markerId: string) =>
  and(eq(chartMarkers.tenantId, tenantId), eq(chartMarkers.markerId, markerId));

const notFound = () =>
  new ApiError("marker.not-found", "No marker with this id was reported in this tenant.");

/** Locks a marker by a write that changes nothing. Throws 404. */
export async function lockMarker(
  tx: Transaction,
  { tenantId, markerId }: Pick<MarkerRow, "tenantId" | "markerId">,
): Promise<MarkerRow> {
  const [row] = await tx
    .update(chartMarkers)
    .set({ markerId })
    .where(byId(tenantId, markerId))
    .returning();
  if (!row) throw notFound();
  return row;
}

export async function deleteMarkerRow(
  tx: Transaction,
  { tenantId, markerId }: Pick<MarkerRow, "tenantId" | "markerId">,
): Promise<void> {
  await tx.delete(chartMarkers).where(byId(tenantId, markerId));
}

/** A user in a tenant. */
interface Reporter {
  tenantId: string;
  userId: string;
}

const ofReporter = ({ tenantId, userId }: Reporter) =>
  and(eq(chartMarkers.tenantId, tenantId), eq(chartMarkers.userId, userId));

/** The markers that a user reported, oldest first. */
export const selectMarkersOf = (of: Reporter): Promise<MarkerRow[]> =>
  db()
    .select()
    .from(chartMarkers)
    .where(ofReporter(of))
    .orderBy(asc(chartMarkers.markerId))
    .limit(maxMarkers);

/** Deletes the user's notes and removes the login from the other markers, which are facts of the tenant. */
export async function eraseReporter(tx: Transaction, of: Reporter): Promise<void> {
  await tx.delete(chartMarkers).where(and(ofReporter(of), eq(chartMarkers.kind, noteKind)));
  await tx.update(chartMarkers).set({ login: null }).where(ofReporter(of));
}
