import type { Answer } from "@/lib/catalogue/client";
import { type Range, rangeBefore, rangeOf } from "./range";
import type { MetricsState } from "./state";

export type Counts = Answer<"GET /v1/api-metrics/metrics/timeserie-counts">;
export type Latencies = Answer<"GET /v1/api-metrics/metrics/timeserie-latencies">;
type Top = Answer<"GET /v1/api-metrics/metrics/top">;
export type Metadata = Answer<"GET /v1/api-metrics/metadata">;

/** Everything on the page, and the range that it was asked for. */
export interface MetricsData {
  range: Range;
  counts: Counts;
  failures: Counts;
  latencies: Latencies;
  previous: Counts | null;
  /** Where server errors were, the most first. */
  troubled: Top;
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
  metadata: () => Promise<Metadata>;
}

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
    "period[timeZone]": zone,
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
  const failing = {
    ...ungrouped,
    statusClass: state.statusClass.length > 0 ? state.statusClass : ["4xx", "5xx"],
    group: "statusClass",
  };
  const [counts, failures, latencies, previous, troubled, metadata] = await Promise.all([
    ask.counts(query),
    ask.counts(failing),
    ask.latencies({ ...ungrouped, quantile: ["p50", "p95"] }),
    state.compare
      ? ask.counts({ ...ungrouped, ...rangeQuery(rangeBefore(range)) }).catch(() => null)
      : null,
    ask.top({ ...ungrouped, statusClass: "5xx", group: "domain", limit: "1" }),
    ask.metadata(),
  ]);
  return { range, counts, failures, latencies, previous, troubled, metadata, asOf: now };
}
