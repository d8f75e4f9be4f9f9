import { type Caller, permissionScope, siteOfScope } from "@/lib/access/caller";
import { dayMs, hourMs, minuteMs } from "./grains";
import type { CallsQuery } from "./plan";
import { countCalls, latencies, topCalls } from "./query-engine";

/** The most failing endpoint or key, with its number of 5xx responses. */
export interface Failing {
  /** An endpoint, or the id of an API key. */
  name: string;
  errors: number;
}

/** The last 24 hours of a tenant by the hour, and the 24 hours before. */
export interface UsageSummary {
  /** Milliseconds since the epoch. */
  times: number[];
  calls: number[];
  errors: number[];
  /** Milliseconds; null without calls. */
  p95: (number | null)[];
  /** The same hours of the previous day, up to the current time of day. */
  before: { calls: number[]; errors: number; p95: number | null };
  /** Calls by programs and shoppers: without those by a user's session and sign-ins. */
  byPrograms: number;
  failing: { endpoint: Failing | undefined; apiKey: Failing | undefined };
}

/** The response of a metrics query has at most this many series. */
const maxSeries = 100;

const until = () => Math.ceil(Date.now() / minuteMs) * minuteMs;

type Sample = { to: Date } | undefined;

function callsQuery(caller: Caller, days: number, sample?: Sample): CallsQuery {
  const to = sample?.to.getTime() ?? until();
  const base = {
    tenantId: caller.tenantId,
    isSample: sample !== undefined,
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

/** The summary of the last day, or of the sample traffic; undefined for callers that may not read metrics. */
export async function readUsageSummary(
  caller: Caller,
  sample?: Sample,
): Promise<UsageSummary | undefined> {
  if (!permissionScope(caller, "api-metric.read")) return undefined;
  const asked = callsQuery(caller, 1, sample);
  // Starts at a full hour like the metrics page: a partial first hour would look like a drop in calls.
  const day = { ...asked, from: Math.ceil(asked.from / hourMs) * hourMs };
  const before = { ...day, from: day.from - dayMs, to: day.to - dayMs };
  const failed = { ...day, statusClasses: ["5"] };
  const [kinds, errors, slow, formerCalls, formerErrors, formerSlow, endpoint, apiKey] =
    await Promise.all([
      countCalls({ ...day, group: ["credentialKind"] }),
      countCalls(failed),
      latencies(day, [0.95]),
      countCalls(before),
      countCalls({ ...before, statusClasses: ["5"] }),
      latencies(before, [0.95]),
      topFailing(failed, "endpoint"),
      topFailing(failed, "apiKey"),
    ]);
  return {
    times: errors.plan.times.map(Number),
    calls: errors.plan.times.map((_, hour) => sumOf(kinds.series.map((one) => one.values[hour]))),
    errors: valuesOf(errors),
    p95: slow.series[0]?.values ?? [],
    before: {
      calls: valuesOf(formerCalls),
      errors: sumOf(valuesOf(formerErrors)),
      p95: slowest(formerSlow.series[0]?.values ?? []),
    },
    byPrograms: sumOf(
      kinds.series
        .filter(({ groups }) => !["session", "none"].includes(groups.credentialKind ?? ""))
        .map(({ total }) => total),
    ),
    failing: { endpoint, apiKey },
  };
}

const sumOf = (values: (number | undefined)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

const valuesOf = ({ series }: { series: { values: number[] }[] }) => series[0]?.values ?? [];

/** The highest hourly value; null without calls. */
export function slowest(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null);
  return measured.length > 0 ? Math.max(...measured) : null;
}

/** The endpoint or key with the most 5xx responses; ignores calls without a key. */
async function topFailing(
  failed: CallsQuery,
  group: "endpoint" | "apiKey",
): Promise<Failing | undefined> {
  const top = await topCalls({ ...failed, group: [group] }, 2);
  const first = top.find(({ groups }) => groups[group]);
  const name = first?.groups[group];
  return first && name ? { name, errors: first.count } : undefined;
}

/** Daily calls of each of these keys for a week. The permission to read keys includes their usage. */
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
