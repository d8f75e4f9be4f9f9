import type { z } from "zod";
import { type Caller, siteOfScope } from "@/lib/access/caller";
import { sendBytes } from "@/lib/http/answer";
import type { Context } from "@/lib/http/context";
import { etagOf, isNotModified, readPreconditions } from "@/lib/protocol/conditional";
import { csvField } from "@/lib/protocol/csv";
import { ApiError } from "@/lib/protocol/errors";
import { noLabel, shapeName } from "./call-labels";
import type { LatencySeries, TimeSeries } from "./contract";
import { metricsMetadata } from "./metadata";
import type { LatencyQuery, MetricsQuery, TopQuery } from "./parameters";
import type { CallsQuery, Plan } from "./plan";
import { countCalls, latencies, topCalls } from "./query-engine";
import { completeUntil } from "./recording";
import type { Group } from "./values";

interface Counted {
  groups: Record<string, string>;
  values: number[];
}

/** One row for each bucket and series: JSON, NDJSON, or CSV with a header line. */
function exportText(
  format: string,
  groups: readonly Group[],
  times: string[],
  series: Counted[],
): string {
  const rows = series.flatMap((one) =>
    times.map((time, index) => ({ time, groups: one.groups, count: one.values[index] ?? 0 })),
  );
  if (format === "text/csv") {
    const lines = rows.map((row) =>
      [
        row.time,
        ...groups.map((group) => csvField(row.groups[group] ?? "")),
        String(row.count),
      ].join(","),
    );
    return `${[["time", ...groups, "count"].join(","), ...lines].join("\r\n")}\r\n`;
  }
  if (format === "application/x-ndjson")
    return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return JSON.stringify(rows);
}

type Query = Omit<z.output<typeof MetricsQuery>, "explain">;
type Asking = Pick<Context, "request" | "responseHeaders" | "format"> & { caller: Caller };

/** The only site whose calls the caller may see, if its role is limited to a site. */
const visibleSite = (caller: Caller) => siteOfScope(caller, "api-metric.read");

function sitesOf(caller: Caller, named: readonly string[]): readonly string[] {
  const only = visibleSite(caller);
  if (only === undefined) return named;
  return named.length === 0 || named.includes(only) ? [only] : [noLabel];
}

function callsQueryOf(caller: Caller, query: Query): CallsQuery {
  const { statusClass, ...named } = query.filters;
  const visible = { ...named, site: sitesOf(caller, named.site) };
  return {
    tenantId: caller.tenantId,
    isSample: query.sample === "true",
    from: query.from.getTime(),
    to: query.to.getTime(),
    group: query.group,
    filters: Object.fromEntries(Object.entries(visible).filter(([, values]) => values.length > 0)),
    statusClasses: statusClass.map((name) => name.charAt(0)),
    timeZone: query.timeZone,
    period: query.period,
  };
}

const instant = (at: number) => new Date(at).toISOString();

function explained({ shape, period, segments }: Plan) {
  return {
    shape: shapeName(shape),
    period,
    segments: segments.map(({ tier, from, to }) => ({
      table: tier.table,
      from: instant(from),
      to: instant(to),
    })),
  };
}

/** Sends the response for a range with its headers: freshness, cache lifetime and ETag. */
function send({ request, responseHeaders, format }: Asking, planned: Plan, body: string): Response {
  const until = completeUntil();
  const isClosed = planned.to <= until;
  const etag = etagOf(body);
  const headers = {
    ETag: etag,
    "Cache-Control": `private, max-age=${isClosed ? 300 : 15}`,
    "X-Service-Metrics-Complete-Until": instant(until),
    "X-Service-Metrics-Range": `${instant(planned.from)}/${instant(planned.to)}`,
  };
  const isKnown = isNotModified(readPreconditions(request.headers), { etag });
  return sendBytes(
    { responseHeaders, format },
    isKnown ? undefined : new TextEncoder().encode(body),
    headers,
  );
}

async function askCounts(caller: Caller, query: Query) {
  const { plan, series } = await countCalls(callsQueryOf(caller, query));
  return {
    plan,
    times: plan.times.map(instant),
    series: series.map(({ groups, values }) => ({ groups, values })),
  };
}

async function askLatencies(caller: Caller, query: z.output<typeof LatencyQuery>) {
  const { plan, series } = await latencies(callsQueryOf(caller, query), query.quantile);
  return { plan, times: plan.times.map(instant), series };
}

/** Counts and latencies for a page rendered on the server. */
export async function countsOf(caller: Caller, query: Query): Promise<TimeSeries> {
  const { times, series } = await askCounts(caller, query);
  return { times, series };
}

export async function latenciesOf(
  caller: Caller,
  query: z.output<typeof LatencyQuery>,
): Promise<LatencySeries> {
  const { times, series } = await askLatencies(caller, query);
  return { times, series };
}

/** The number of calls of each bucket, by group. */
export async function timeSeriesCounts(
  asking: Asking & { query: z.output<typeof MetricsQuery> },
): Promise<Response> {
  const { caller, query } = asking;
  if (query.explain && !caller.roles.roleIds.includes("tenant.admin")) {
    throw new ApiError(
      "auth.permission-missing",
      "Only a tenant.admin may see how an answer was found.",
      "tenant.admin",
    );
  }
  const { plan, ...counted } = await askCounts(caller, query);
  return send(
    asking,
    plan,
    JSON.stringify({ ...counted, ...(query.explain ? { plan: explained(plan) } : {}) }),
  );
}

/** Quantiles of the calls' durations, by group. */
export async function timeSeriesLatencies(
  asking: Asking & { query: z.output<typeof LatencyQuery> },
): Promise<Response> {
  const { plan, ...measured } = await askLatencies(asking.caller, asking.query);
  return send(asking, plan, JSON.stringify(measured));
}

/** The groups with the most calls. */
export async function top(caller: Caller, query: z.output<typeof TopQuery>) {
  return topCalls(callsQueryOf(caller, query), query.limit);
}

/** The counts as rows, in the format the caller accepts. */
export async function exportCounts(
  asking: Asking & { query: z.output<typeof MetricsQuery> },
): Promise<Response> {
  const { plan, series } = await countCalls(callsQueryOf(asking.caller, asking.query));
  return send(
    asking,
    plan,
    exportText(asking.format, asking.query.group, plan.times.map(instant), series),
  );
}

/** The values and limits for queries of this caller. */
export const metadata = (caller: Caller, { sample }: { sample?: "true" | undefined } = {}) =>
  metricsMetadata(caller, { isSample: sample === "true", onlySite: visibleSite(caller) });
