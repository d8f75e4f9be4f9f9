import type { z } from "zod";
import { type Caller, reach } from "@/lib/access/caller";
import { sendBytes } from "@/lib/api/answer";
import { etagOf, isNotModified, readPreconditions } from "@/lib/api/conditional";
import type { Context } from "@/lib/api/context";
import { ApiError } from "@/lib/api/errors";
import { countCalls, latencies, topCalls } from "./answers";
import { type Dimension, shapeName } from "./dimensions";
import { exportText } from "./export";
import { completeUntil } from "./freshness";
import { metricsMetadata } from "./metadata";
import type { LatencyQuery, MetricsQuery, TopQuery } from "./parameters";
import type { Plan } from "./plan";
import type { Question } from "./question";

type Query = Omit<z.output<typeof MetricsQuery>, "explain">;
type Asking = Pick<Context, "request" | "answerHeaders" | "format"> & { caller: Caller };

/** Authority that comes from a site's role sees that site's calls alone. */
const onlySite = (caller: Caller) => (reach(caller, "api-metric.read") === "site" ? caller.siteId : undefined);

function sitesOf(caller: Caller, asked: readonly string[]): readonly string[] {
  const only = onlySite(caller);
  if (only === undefined) return asked;
  return asked.length === 0 || asked.includes(only) ? [only] : ["\n"];
}

function questionOf(caller: Caller, query: Query): Question {
  const lists: Partial<Record<Dimension, readonly string[] | undefined>> = {
    domain: query.domain,
    site: sitesOf(caller, query.site ?? []),
    endpoint: query.endpoint,
    status: query.status,
    apiKey: query.apiKey,
  };
  const filters = Object.fromEntries(Object.entries(lists).filter(([, values]) => (values?.length ?? 0) > 0));
  return {
    tenantId: caller.tenantId,
    from: query.from.getTime(),
    to: query.to.getTime(),
    groups: query.group,
    filters,
    statusClasses: (query.statusClass ?? []).map((name) => name.charAt(0)),
    timeZone: query.timeZone,
    period: query.period,
  };
}

const instant = (at: number) => new Date(at).toISOString();

function explained({ shape, period, segments }: Plan) {
  return {
    shape: shapeName(shape),
    period,
    segments: segments.map(({ keep, from, to }) => ({ table: keep.table, from: instant(from), to: instant(to) })),
  };
}

/** What surrounds every answer about a range: how fresh, how long it may be kept, and the tag that spares sending it again. */
function send({ request, answerHeaders, format }: Asking, planned: Plan, body: string): Response {
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
  return sendBytes({ answerHeaders, format }, isKnown ? undefined : new TextEncoder().encode(body), headers);
}

/** The number of calls of each bucket, by group. */
export async function timeSeriesCounts(asking: Asking & { query: z.output<typeof MetricsQuery> }): Promise<Response> {
  const { caller, query } = asking;
  if (query.explain && !caller.roles.roleIds.includes("tenant.admin")) {
    throw new ApiError("auth.permission-missing", "Only a tenant.admin may see how an answer was found.", "tenant.admin");
  }
  const { plan, series } = await countCalls(questionOf(caller, query));
  const times = plan.times.map(instant);
  const shown = series.map(({ groups, values }) => ({ groups, values }));
  return send(asking, plan, JSON.stringify({ times, series: shown, ...(query.explain ? { plan: explained(plan) } : {}) }));
}

/** Quantiles of the calls' durations, by group. */
export async function timeSeriesLatencies(asking: Asking & { query: z.output<typeof LatencyQuery> }): Promise<Response> {
  const { plan, series } = await latencies(questionOf(asking.caller, asking.query), asking.query.quantile);
  return send(asking, plan, JSON.stringify({ times: plan.times.map(instant), series }));
}

/** The groups with the most calls. */
export async function top(caller: Caller, query: z.output<typeof TopQuery>) {
  return topCalls(questionOf(caller, query), query.limit);
}

/** The counts as rows, in the format the caller accepts. */
export async function exportCounts(asking: Asking & { query: z.output<typeof MetricsQuery> }): Promise<Response> {
  const { plan, series } = await countCalls(questionOf(asking.caller, asking.query));
  return send(asking, plan, exportText(asking.format, asking.query.group, plan.times.map(instant), series));
}

/** What can be asked by this caller. */
export const metadata = (caller: Caller) => metricsMetadata(caller, onlySite(caller));
