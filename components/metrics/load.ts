import type { Answer } from "@/lib/catalogue/client";
import { isZoneless, type Range, rangeBefore, rangeOf } from "./range";
import type { MetricsState } from "./state";

export type Counts = Answer<"GET /v1/api-metrics/metrics/timeserie-counts">;
export type Latencies = Answer<"GET /v1/api-metrics/metrics/timeserie-latencies">;
export type Top = Answer<"GET /v1/api-metrics/metrics/top">;
export type Marker = Answer<"GET /v1/api-metrics/markers">[number];
export type Metadata = Answer<"GET /v1/api-metrics/metadata">;

/** Everything on the page, and the range that it was asked for. */
export interface MetricsData {
  range: Range;
  counts: Counts;
  /** The same calls by class of status, whatever class is asked for. */
  classes: Counts;
  latencies: Latencies;
  previous: Counts | null;
  /** Where server errors were, the most first. */
  troubled: Top;
  /** What happened in the range, newest first. */
  markers: Marker[];
  metadata: Metadata;
  /** Milliseconds since the epoch. */
  asOf: number;
}

export type Query = { from: string; to: string } & Record<string, string | string[]>;

/** The operations of the page: the service in process on the server, the typed client in the browser. */
export interface Ask {
  counts: (query: Query) => Promise<Counts>;
  latencies: (query: Query) => Promise<Latencies>;
  top: (query: Query) => Promise<Top>;
  markers: (query: { from: string; to: string; limit: string }) => Promise<Marker[]>;
  metadata: () => Promise<Metadata>;
}

/** The newest of a range are shown. */
export const maxMarkers = 200;

const rangeQuery = ({ from, to }: Range) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** The query of GET timeserie-counts for what the address says. */
export function countsQuery(state: MetricsState, range: Range): Query {
  const { zone, period, domain, site, endpoint, statusClass, apiKey, group } = state;
  const [count, unit] = period === "auto" ? [] : period.split("-");
  return {
    ...rangeQuery(range),
    ...(unit && count ? { "period[unit]": unit, "period[count]": count } : {}),
    "period[timeZone]": isZoneless(state) ? "UTC" : zone,
    group,
    domain,
    site,
    endpoint,
    statusClass,
    apiKey,
  };
}

/** The same buckets, whatever period the service picks for the first answer. */
export async function loadMetrics(
  state: MetricsState,
  ask: Ask,
  now: number,
): Promise<MetricsData> {
  const range = rangeOf(state, now);
  const query = countsQuery(state, range);
  const { group: _, ...ungrouped } = query;
  const byClass = { ...ungrouped, statusClass: [], group: "statusClass" };
  const [counts, classes, latencies, previous, troubled, markers, metadata] = await Promise.all([
    ask.counts(query),
    ask.counts(byClass),
    ask.latencies({ ...ungrouped, quantile: ["p50", "p95", "p99"] }),
    state.compare
      ? ask.counts({ ...ungrouped, ...rangeQuery(rangeBefore(range)) }).catch(() => null)
      : null,
    ask.top({ ...ungrouped, statusClass: "5xx", group: "domain", limit: "1" }),
    // The charts are worth reading without them.
    ask.markers({ ...rangeQuery(range), limit: String(maxMarkers) }).catch(() => []),
    ask.metadata(),
  ]);
  const { countedSince } = metadata;
  // What was not counted from its beginning compares with nothing.
  const isWhole = countedSince !== null && Date.parse(countedSince) <= rangeBefore(range).from;
  const before = isWhole ? previous : null;
  return {
    range,
    counts,
    classes,
    latencies,
    previous: before,
    troubled,
    markers,
    metadata,
    asOf: now,
  };
}

/** Places of buckets that ended before the first call was counted: what they hold is missing, not 0. */
export function firstCounted({
  counts,
  range,
  metadata,
}: Pick<MetricsData, "counts" | "range" | "metadata">): number {
  const since = Date.parse(metadata.countedSince ?? "");
  const ends = [...counts.times.slice(1).map((time) => Date.parse(time)), range.to];
  const first = ends.findIndex((end) => end > since);
  return first < 0 ? counts.times.length : first;
}
