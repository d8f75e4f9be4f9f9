import { type Caller, permissionScope, siteOfScope } from "@/lib/access/caller";
import { dayMs, hourMs, minuteMs } from "./grains";
import type { CallsQuery } from "./metrics-query";
import { countCalls, latencies } from "./query-engine";

/** The last 24 hours of a tenant by the hour. */
export interface UsageSummary {
  calls: number[];
  errors: number[];
  /** Milliseconds; null where there was no call. */
  p95: (number | null)[];
}

/** The response of a metrics query has at most this many series. */
const maxSeries = 100;

const until = () => Math.ceil(Date.now() / minuteMs) * minuteMs;

function callsQuery(caller: Caller, days: number): CallsQuery {
  const to = until();
  const base = {
    tenantId: caller.tenantId,
    from: to - days * dayMs,
    to,
    group: [],
    statusClasses: [],
    timeZone: "UTC",
  };
  const site = siteOfScope(caller, "api-metric.read");
  return {
    ...base,
    filters: site === undefined ? {} : { site: [site] },
    period: { unit: days > 1 ? "day" : "hour", count: 1, timeZone: "UTC" },
  };
}

/** The last day in figures; undefined for callers that may not read metrics. */
export async function readUsageSummary(caller: Caller): Promise<UsageSummary | undefined> {
  if (!permissionScope(caller, "api-metric.read")) return undefined;
  const asked = callsQuery(caller, 1);
  // As on the metrics page: a first hour that was cut would look like a fall of the calls.
  const day = { ...asked, from: Math.ceil(asked.from / hourMs) * hourMs };
  const [all, failed, slow] = await Promise.all([
    countCalls(day),
    countCalls({ ...day, statusClasses: ["5"] }),
    latencies(day, [0.95]),
  ]);
  const first = (series: { values: number[] }[]) => series[0]?.values ?? [];
  return {
    calls: first(all.series),
    errors: first(failed.series),
    p95: slow.series[0]?.values ?? [],
  };
}

/** Calls of each of these keys by the day, for a week. A reader of keys may see how much they are used. */
export async function weekOfKeys(
  caller: Caller,
  keys: { apiKeyId: string }[],
): Promise<Record<string, number[]>> {
  const to = until();
  const range = { from: Math.floor(to / dayMs) * dayMs - 6 * dayMs, to };
  const parts: string[][] = [];
  for (let at = 0; at < keys.length; at += maxSeries)
    parts.push(keys.slice(at, at + maxSeries).map(({ apiKeyId }) => apiKeyId));
  const weeks = await Promise.all(
    parts.map(async (apiKey) =>
      countCalls({ ...callsQuery(caller, 7), ...range, group: ["apiKey"], filters: { apiKey } }),
    ),
  );
  return Object.fromEntries(
    weeks.flatMap(({ series }) =>
      series.map(({ groups, values }) => [groups.apiKey ?? "", values]),
    ),
  );
}
