import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { chartMarkers } from "@/lib/database/schema/schema";

export type MarkerRow = typeof chartMarkers.$inferSelect;

/** Of a tenant; the oldest go when more are reported. */
export const maxMarkers = 5000;

interface Wanted {
  tenantId: string;
  from: Date;
  /** Exclusive. */
  to: Date;
  kind?: string | undefined;
  /** Markers behind this place only, for the next page. */
  before?: { at: Date; id: string } | undefined;
  limit: number;
}

/** Markers that were reported, newest first by when they happened. */
export const selectMarkers = ({ tenantId, from, to, kind, before, limit }: Wanted) =>
  db()
    .select()
    .from(chartMarkers)
    .where(
      and(
        eq(chartMarkers.tenantId, tenantId),
        gte(chartMarkers.at, from),
        lt(chartMarkers.at, to),
        kind === undefined ? undefined : eq(chartMarkers.kind, kind),
        before &&
          sql`(${chartMarkers.at}, ${chartMarkers.markerId}) < (${before.at.toISOString()}::timestamptz, ${before.id})`,
      ),
    )
    .orderBy(desc(chartMarkers.at), desc(chartMarkers.markerId))
    .limit(limit);

/** Adds a marker, and deletes those that were reported before the newest of the tenant. To be called while the transaction holds the tenant's row. */
export async function insertMarker(tx: Transaction, row: MarkerRow): Promise<void> {
  await tx.insert(chartMarkers).values(row);
  const { tenantId } = row;
  await tx.execute(sql`delete from chart_markers where tenant_id = ${tenantId} and marker_id <= (
    select marker_id from chart_markers where tenant_id = ${tenantId}
    order by marker_id desc offset ${maxMarkers} limit 1)`);
}
