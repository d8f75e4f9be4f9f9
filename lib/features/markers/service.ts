import type { z } from "zod";
import { type Caller, siteOfScope } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { actingAs, record } from "@/lib/features/audit/service";
import { invalid } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/paging";
import type { Marker, MarkersQuery, NewMarker } from "./contract";
import { insertMarker, type MarkerRow, selectMarkers } from "./rows";
import { type PlacedMarker, trailMarkers } from "./trail";

const dayMs = 86_400_000;
const keptMs = 400 * dayMs;
const maxAheadMs = 7 * dayMs;
const endOfTime = new Date("9999-12-31T23:59:59Z");

const toMarker = ({ markerId: id, at, title, kind, url }: MarkerRow): Marker => ({
  id,
  at: at.toISOString(),
  title,
  kind,
  url,
  source: "reported",
});

/** Where a page begins: the time and id of the last marker before, and its number in the trail if it is from there. */
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
 * Markers that were reported and those of the audit trail, newest first; of the same time those that were reported come first.
 * Throws 400 for a cursor that was not received.
 */
export async function listMarkers(
  caller: Caller,
  { from = new Date(0), to = endOfTime, kind, limit, cursor }: z.output<typeof MarkersQuery>,
): Promise<Page<Marker>> {
  const place = readPlace(cursor);
  const common = { tenantId: caller.tenantId, from, kind, limit: limit + 1 };
  // Behind a reported marker comes what the trail has of the same millisecond; behind an entry of the trail nothing that was reported then.
  const before = place && { at: place.at, id: place.seq === undefined ? place.id : "" };
  const trailEnd = place?.seq === undefined && place ? new Date(place.at.getTime() + 1) : to;
  const trail: Promise<PlacedMarker[]> =
    siteOfScope(caller, "api-metric.read") === undefined
      ? trailMarkers({ ...common, to: trailEnd < to ? trailEnd : to, before: place?.seq })
      : Promise.resolve([]);
  const reported = (await selectMarkers({ ...common, to, before })).map(toMarker);
  const all: (Marker & { seq?: number })[] = [...reported, ...(await trail)];
  const page = cutPage(all.toSorted(isNewer), limit, ({ at, id, seq }) => [
    at,
    id,
    seq === undefined ? "" : String(seq),
  ]);
  return { items: page.items.map(({ seq: _, ...marker }) => marker), next: page.next };
}

/** Adds a marker to the charts of the tenant. Throws 400 for a time that no chart will show soon. */
export async function createMarker(
  caller: Caller,
  { at, title, kind, url: link }: z.output<typeof NewMarker>,
): Promise<Marker> {
  const now = Date.now();
  if (at.getTime() < now - keptMs || at.getTime() > now + maxAheadMs)
    throw invalid([
      { pointer: "/at", detail: "/at must be at most 400 days ago and 7 days ahead." },
    ]);
  const url = link ?? null;
  const row = { tenantId: caller.tenantId, markerId: newId("mark"), at, title, kind, url };
  await transactionFor(caller, async (tx) => {
    await record(tx, actingAs(caller), {
      action: "marker.created",
      target: { type: "marker", id: row.markerId, name: title },
      changes: { at: { after: at.toISOString() }, kind: { after: kind } },
    });
    await insertMarker(tx, row);
  });
  return toMarker(row);
}
