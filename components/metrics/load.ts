import type { Answer } from "@/lib/catalogue/client";
import { isZoneless, periodOf, type Range, rangeBefore, rangeOf, toPreviousBucket } from "./range";
import { filtersOf, type MetricsState } from "./state";

export type Counts = Answer<"GET /v1/api-metrics/metrics/timeserie-counts">;
export type Latencies = Answer<"GET /v1/api-metrics/metrics/timeserie-latencies">;
export type Top = Answer<"GET /v1/api-metrics/metrics/top">;
export type Marker = Answer<"GET /v1/api-metrics/markers">[number];
export type Metadata = Answer<"GET /v1/api-metrics/metadata">;

/** The calls of the previous period, each bucket at the place of the one that it is compared with. */
export interface Previous {
  /** Null where the clocks had no such time. */
  values: (number | null)[];
  total: number;
}

/** All data of the page, and its range. */
export interface MetricsData {
  range: Range;
  /** The zone that the buckets follow; null where they are the same in every zone. */
  zone: string | null;
  counts: Counts;
  /** The same calls by status class, regardless of the status filter. */
  classes: Counts;
  latencies: Latencies;
  previous: Previous | null;
  /** The domains with server errors, the most first. */
  troubled: Top;
  /** The markers of the range, newest first. */
  markers: Marker[];
  metadata: Metadata;
  /** The calls are invented. */
  isSample: boolean;
  /** Milliseconds since the epoch. */
  asOf: number;
}

export type Query = { from: string; to: string } & Record<string, string | string[]>;

type SampleQuery = { sample?: "true" };
const sampleQuery = ({ sample }: MetricsState): SampleQuery => (sample ? { sample: "true" } : {});

/** The operations of the page: the service in process on the server, the typed client in the browser. */
export interface Ask {
  counts: (query: Query) => Promise<Counts>;
  latencies: (query: Query) => Promise<Latencies>;
  top: (query: Query) => Promise<Top>;
  markers: (query: { from: string; to: string; limit: string }) => Promise<Marker[]>;
  metadata: (query: SampleQuery) => Promise<Metadata>;
}

/** The newest of a range are shown. */
export const maxMarkers = 200;

const rangeQuery = ({ from, to }: Range) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** The query of GET timeserie-counts for the state in the address. */
export function countsQuery(state: MetricsState, range: Range): Query {
  const period = periodOf(state);
  return {
    ...rangeQuery(range),
    ...(period ? { "period[unit]": period.unit, "period[count]": String(period.count) } : {}),
    "period[timeZone]": isZoneless(state) ? "UTC" : state.zone,
    group: state.group,
    ...sampleQuery(state),
    ...filtersOf(state),
  };
}

const firstLength = ({ times: [first = "", second = ""] }: Counts) =>
  Date.parse(second) - Date.parse(first);

/** Days of 23 and 25 hours and months of 28 and 31 days count as the same length; older data may have coarser buckets. */
const isOnePeriod = (one: Counts, other: Counts) =>
  !(Math.abs(Math.log(firstLength(one) / firstLength(other))) > Math.log(1.25));

/** Aligns the previous period with this one by local time: an hour that occurs twice is compared with the same hour twice. */
export function alignPrevious(
  state: MetricsState,
  range: Range,
  counts: Counts,
  previous: Counts,
): Previous | null {
  const [values = []] = previous.series.map((one) => one.values);
  const total = values.reduce((sum, value) => sum + value, 0);
  if (!isOnePeriod(counts, previous)) return null;
  const move = toPreviousBucket(state, range);
  const byTime = new Map(previous.times.map((time, index) => [Date.parse(time), values[index]]));
  const valueAt = (at: number | undefined) => (at === undefined ? undefined : byTime.get(at));
  return { total, values: counts.times.map((time) => valueAt(move(Date.parse(time))) ?? null) };
}

/** Sample traffic does not grow: ranges end with its last minute. */
async function endOf(state: MetricsState, asked: Promise<Metadata>, now: number): Promise<number> {
  const { sampleTraffic } = state.sample ? await asked : { sampleTraffic: null };
  return sampleTraffic ? Date.parse(sampleTraffic.to) : now;
}

/** Loads all data of the page. */
export async function loadMetrics(
  state: MetricsState,
  ask: Ask,
  now: number,
): Promise<MetricsData> {
  const described = ask.metadata(sampleQuery(state));
  const asOf = await endOf(state, described, now);
  const range = rangeOf(state, asOf);
  const query = countsQuery(state, range);
  const { group: _, ...ungrouped } = query;
  const byClass = { ...ungrouped, statusClass: [], group: "statusClass" };
  const [counts, classes, latencies, previous, troubled, markers, metadata] = await Promise.all([
    ask.counts(query),
    ask.counts(byClass),
    ask.latencies({ ...ungrouped, quantile: ["p50", "p95", "p99"] }),
    state.compare
      ? ask.counts({ ...ungrouped, ...rangeQuery(rangeBefore(state, range)) }).catch(() => null)
      : null,
    ask.top({ ...ungrouped, statusClass: "5xx", group: "domain", limit: "1" }),
    // Without markers the charts are still useful.
    state.sample
      ? []
      : ask.markers({ ...rangeQuery(range), limit: String(maxMarkers) }).catch(() => []),
    described,
  ]);
  const { countedSince } = metadata;
  // A period that was not counted from its start is not compared.
  const isWhole =
    countedSince !== null && Date.parse(countedSince) <= rangeBefore(state, range).from;
  const before = isWhole && previous ? alignPrevious(state, range, counts, previous) : null;
  return {
    range,
    zone: isZoneless(state) ? null : state.zone,
    counts,
    classes,
    latencies,
    previous: before,
    troubled,
    markers,
    metadata,
    isSample: state.sample,
    asOf,
  };
}

/** Indexes of buckets that ended before the first call was counted: their values are missing, not 0. */
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
