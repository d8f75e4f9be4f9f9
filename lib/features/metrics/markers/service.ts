import type { z } from "zod";
import { type Caller, permissionScope, siteOfScope } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { noteKind } from "@/lib/features/metrics/values";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { later } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { Marker, MarkersQuery, NewMarker } from "./contract";
import {
  deleteMarkerRow,
  insertMarker,
  lockMarker,
  type MarkerRow,
  maxMarkerLengthMs,
  selectMarkers,
} from "./rows";
import { type PlacedMarker, trailMarkers } from "./trail";

const dayMs = 86_400_000;
const keptMs = 400 * dayMs;
const maxAheadMs = 7 * dayMs;
const endOfTime = new Date("9999-12-31T23:59:59Z");

export const toMarker = ({ markerId: id, userId, login, ...row }: MarkerRow): Marker => ({
  id,
  at: row.at.toISOString(),
  until: row.until?.toISOString() ?? null,
  title: row.title,
  kind: row.kind,
  url: row.url,
  source: "reported",
  author: userId === null ? null : { id: userId, login },
});

/** Where a page starts: the time and id of the last marker before it, and its audit sequence number if it is from the audit trail. */
interface Place {
  at: Date;
  id: string;
  seq: number | undefined;
}

const placePatterns = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^[a-z0-9_]{0,64}$/,
  /^\d{0,15}$/,
];

function readPlace(cursor: string | undefined): Place | undefined {
  const found = readCursor(
    cursor,
    3,
    (value, index) =>
      placePatterns[index]?.test(value) === true && (index > 0 || !Number.isNaN(Date.parse(value))),
  );
  if (!found) return undefined;
  const [at = "", id = "", seq = ""] = found;
  return { at: new Date(at), id, seq: seq === "" ? undefined : Number(seq) };
}

const isNewer = (a: Marker, b: Marker) =>
  Date.parse(b.at) - Date.parse(a.at) ||
  Number(a.source === "trail") - Number(b.source === "trail");

/**
 * Reported markers and those of the audit trail, newest first; at the same time reported ones come first. Throws 400 for an
 * invalid cursor.
 */
export async function listMarkers(
  caller: Caller,
  { from = new Date(0), to = endOfTime, kind, limit, cursor }: z.output<typeof MarkersQuery>,
): Promise<Page<Marker>> {
  const place = readPlace(cursor);
  const common = { tenantId: caller.tenantId, from, kind, limit: limit + 1 };
  // After a reported marker come the audit entries of the same millisecond; after an audit entry no marker reported at that time.
  const before = place && { at: place.at, id: place.seq === undefined ? place.id : "" };
  const trailEnd = place?.seq === undefined && place ? later(place.at, 1) : to;
  const trail: Promise<PlacedMarker[]> =
    siteOfScope(caller, "api-metric.read") === undefined
      ? trailMarkers({ ...common, to: trailEnd < to ? trailEnd : to, before: place?.seq })
      : Promise.resolve([]);
  // Awaited together: a rejection while only the other one is awaited would be unhandled and end the process.
  const [reported, found] = await Promise.all([selectMarkers({ ...common, to, before }), trail]);
  const all: (Marker & { seq?: number })[] = [...reported.map(toMarker), ...found];
  const page = cutPage(all.toSorted(isNewer), limit, ({ at, id, seq }) => [
    at,
    id,
    seq === undefined ? "" : String(seq),
  ]);
  return { items: page.items.map(({ seq: _, ...marker }) => marker), next: page.next };
}

type MarkerAction = "marker.created" | "marker.deleted";

/** Writes the audit entry of a marker; for a note without its text. */
function recordMarker(tx: Transaction, caller: Caller, action: MarkerAction, row: MarkerRow) {
  const [at, kind] = [row.at.toISOString(), row.kind];
  const side = action === "marker.created" ? "after" : "before";
  const name = kind === noteKind ? {} : { name: row.title };
  return record(tx, actingAs(caller), {
    action,
    target: { type: "marker", id: row.markerId, ...name },
    changes: { at: { [side]: at }, kind: { [side]: kind } },
  });
}

function assertOnCharts({ at, until }: Pick<z.output<typeof NewMarker>, "at" | "until">): void {
  const now = Date.now();
  if (at.getTime() < now - keptMs || at.getTime() > now + maxAheadMs)
    throw invalid([
      { pointer: "/at", detail: "/at must be at most 400 days ago and 7 days ahead." },
    ]);
  const length = until ? until.getTime() - at.getTime() : 1;
  if (length <= 0 || length > maxMarkerLengthMs)
    throw invalid([
      { pointer: "/until", detail: "/until must be after /at, at most 31 days later." },
    ]);
}

/** Adds a marker to the charts of the tenant. Throws 400 for a time outside the range of the charts. */
export async function createMarker(
  caller: Caller,
  { until, url, ...given }: z.output<typeof NewMarker>,
): Promise<Marker> {
  assertOnCharts({ ...given, until });
  const { tenantId, userId, login } = caller;
  const optional = { until: until ?? null, url: url ?? null };
  const row = { tenantId, markerId: newId("mark"), ...given, ...optional, userId, login };
  await transactionFor(caller, async (tx) => {
    await recordMarker(tx, caller, "marker.created", row);
    await insertMarker(tx, row);
  });
  return toMarker(row);
}

/** Users delete their own markers; an API key needs the write permission. */
const mayDelete = (caller: Caller, { userId }: MarkerRow) =>
  (caller.kind === "session" && userId === caller.userId) ||
  permissionScope(caller, "api-metric.write") === "tenant";

/** Deletes a reported marker. Throws 403 and 404. */
export async function deleteMarker(caller: Caller, markerId: string): Promise<void> {
  const { tenantId } = caller;
  await transaction(async (tx) => {
    const row = await lockMarker(tx, { tenantId, markerId });
    if (!mayDelete(caller, row))
      throw new ApiError(
        "marker.of-other",
        "Only whoever reported a marker, or may write metrics in the whole tenant, removes it.",
        "api-metric.write",
      );
    await deleteMarkerRow(tx, row);
    await recordMarker(tx, caller, "marker.deleted", row);
  });
}
