import type { Caller } from "@/lib/access/caller";
import { describeKeys } from "@/lib/access/key-descriptions";
import { lane } from "@/lib/database/open";
import { cube, labelColumns, overflow, shapeFor, storedShape, total } from "./call-labels";
import type { MetricsMetadata } from "./contract";
import { dayMs, type RetentionTier, retentionTiers, tiers } from "./grains";
import { isStep } from "./periods";
import { findSample, toSampleTraffic } from "./sample-rows";
import { type Dimension, groups, type Listed, limits, listedValues, units } from "./values";

/** The callers to select. */
type CallsOf = { userIds: readonly string[] } | { apiKeyId: string };

export interface LastCall {
  /** The id of the user or API key. */
  id: string;
  /** "GET /v1/user/list" */
  endpoint: string;
  /** The site that the calls named; "" without one. */
  site: string;
  /** The day of the last call. */
  at: Date;
}

/** Rejected by authentication, authorization or the rate limit: these calls used no permission. */
const rejected = "'401', '403', '429'";

/** More combinations of operation and site than a credential can have called. */
const maxLastCalls = 10_000;

/** The last day of each operation that users or an API key called, from the dictionary of combinations, which has the day of each. */
export async function lastCalls(tenantId: string, of: CallsOf): Promise<LastCall[]> {
  const [column, ids] = "userIds" in of ? ["user_id", of.userIds] : ["api_key", [of.apiKeyId]];
  const { rows } = await lane("questions").query<LastCall>(
    `select s.${column} as id, s.endpoint, s.site, max(s.seen_at) as at from metric_series s
      where s.tenant_id = $1 and s.shape = ${cube} and s.${column} = any($2::text[]) and s.status not in (${rejected})
      group by s.${column}, s.endpoint, s.site order by 1, 2, 3 limit ${maxLastCalls} * $3::int`,
    [tenantId, ids, ids.length],
  );
  return rows;
}

/** Whether every call since then is counted with its caller and operation: beyond a tenant's limits some are counted without. */
export async function isAttributedSince(tenantId: string, since: Date): Promise<boolean> {
  const { rows } = await lane("questions").query(
    `select 1 from metric_series s where s.tenant_id = $1 and s.shape = ${cube} and s.seen_at >= $2
      and '${overflow}' in (s.user_id, s.api_key, s.endpoint, s.site) limit 1`,
    [tenantId, since],
  );
  return rows.length === 0;
}

/** The source of the values: a tenant's calls, or its sample traffic. */
interface Of {
  tenantId: string;
  isSample?: boolean;
}

/** The start of the first slot of a grain in which the tenant has a call: read from the oldest row of each domain. */
async function firstSlot(of: Of, { table, grain }: RetentionTier): Promise<number | undefined> {
  const shape = storedShape(total, of);
  const { rows } = await lane("questions").query<{ at: number; counts: number[] }>(
    `select (extract(epoch from c.at) * 1000)::float8 as at, c.counts from ${table} c
      where c.tenant_id = $1 and c.shape = ${shape} and c.at = (
        select o.at from ${table} o where o.tenant_id = $1 and o.shape = ${shape} order by o.at limit 1)`,
    [of.tenantId],
  );
  const slots = rows.map(({ counts }) => counts.findIndex((count) => count > 0));
  const first = Math.min(...slots.filter((slot) => slot >= 0));
  const at = rows[0]?.at;
  return at === undefined || !Number.isFinite(first) ? undefined : at + first * grain.slotMs;
}

/** The time of the oldest retained call: to 15 minutes, or to the day if it is older than the retention of quarters. */
export async function countedSince(of: Of): Promise<string | null> {
  const [quarter, day] = await Promise.all([
    firstSlot(of, tiers.quarters),
    firstSlot(of, tiers.days),
  ]);
  const known = [quarter, day].filter((at) => at !== undefined);
  if (known.length === 0) return null;
  const isSameDay = quarter !== undefined && day !== undefined && quarter - day < dayMs;
  return new Date(isSameDay ? quarter : Math.min(...known)).toISOString();
}

const maxValues = 1000;

/** The source of the guard row whose presence marks generated traffic. */
export const syntheticSource = "synthetic-traffic";

/** The values that a dimension has had; only those of one site for a caller whose role is limited to it. */
async function valuesOf(
  of: Of,
  dimension: Dimension,
  onlySite: string | undefined,
): Promise<string[]> {
  const column = labelColumns[dimension];
  const shape = storedShape(onlySite === undefined ? shapeFor(new Set([dimension])) : cube, of);
  const { rows } = await lane("questions").query<{ value: string }>(
    `select distinct s.${column} as value from metric_series s
      where s.tenant_id = $1 and s.shape = $2 and s.${column} <> '' and ($3::text is null or s.site = $3) order by 1 limit ${maxValues}`,
    [of.tenantId, shape, onlySite ?? null],
  );
  return rows.map(({ value }) => value);
}

async function isSynthetic(tenantId: string): Promise<boolean> {
  const { rows } = await lane("questions").query(
    "select seq from metric_batches where tenant_id = $1 and source = $2",
    [tenantId, syntheticSource],
  );
  return rows.length > 0;
}

const counts = Array.from({ length: 60 }, (_, index) => index + 1);

/** What can be queried: the values counted so far, limits and retention. */
export async function metricsMetadata(
  { tenantId }: Caller,
  { isSample = false, onlySite }: { isSample?: boolean; onlySite?: string | undefined },
): Promise<MetricsMetadata> {
  const of = { tenantId, isSample };
  const values = (dimension: Dimension) => valuesOf(of, dimension, onlySite);
  const ofDimension = async ([dimension, name]: [string, string]) => [
    name,
    await values(dimension as Listed),
  ];
  const [listed, apiKeys, synthetic, since, sample] = await Promise.all([
    Promise.all(Object.entries(listedValues).map(ofDimension)),
    values("apiKey"),
    isSynthetic(tenantId),
    countedSince(of),
    findSample(tenantId),
  ]);
  const names = await describeKeys(tenantId, apiKeys);
  return {
    ...(Object.fromEntries(listed) as Record<(typeof listedValues)[Listed], string[]>),
    apiKeys: apiKeys.map((id) => {
      const known = names.find(({ apiKeyId }) => apiKeyId === id);
      return { id, name: known?.name ?? id, hint: known?.hint ?? id.slice(-4) };
    }),
    groups: [...groups],
    periods: units.map((unit) => ({
      unit,
      counts: counts.filter((count) => isStep({ unit, count })),
    })),
    retention: [...new Set(retentionTiers.map(({ grain }) => grain))].map(({ name, slotMs }) => {
      const of = retentionTiers.filter(({ grain }) => grain.name === name);
      const days = of.map((tier) => tier.days);
      return {
        grain: name,
        seconds: slotMs / 1000,
        days: Math.max(...days),
        combinationDays: Math.min(...days),
      };
    }),
    limits: { ...limits },
    isSynthetic: isSample || synthetic,
    countedSince: since,
    sampleTraffic: sample ? toSampleTraffic(sample) : null,
  };
}

/** A series outlives every row that may name it: the longest retention, the width of its partition, and a month as reserve. */
const seriesKeptMilliseconds =
  (Math.max(...retentionTiers.map(({ days }) => days)) + 366 + 31) * dayMs;

/** How long ids of received batches are stored: later the same id is a new batch. */
const batchesKeptMilliseconds = 8 * dayMs;
/** Processes and imports are stored longer: the spool of an ended process may be found late, and a log imported again. */
const sourcesKeptMs = seriesKeptMilliseconds;

/** Deletes in parts, so that every statement is short and blocks no request. */
const maxDeleted = 5000;

async function deleteAll(text: string, values: unknown[]): Promise<void> {
  let deleted: number;
  do {
    deleted = (await lane("metrics").query({ text, values })).rowCount ?? 0;
  } while (deleted === maxDeleted);
}

/** Deletes series without retained counts; called by the hourly cleanup. */
export function forgetOldSeries(tenantId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - seriesKeptMilliseconds).toISOString();
  return deleteAll(
    `delete from metric_series where tenant_id = $1 and seen_at < $2 and (shape, series_id) in
      (select s.shape, s.series_id from metric_series s where s.tenant_id = $1 and s.seen_at < $2 limit ${maxDeleted})`,
    [tenantId, before],
  );
}

/** Deletes the ids of batches, processes and imports that cannot be repeated any more; called by the hourly cleanup. */
export function forgetOldBatches(tenantId: string, now: Date): Promise<void> {
  const [batches, sources] = [batchesKeptMilliseconds, sourcesKeptMs].map((kept) =>
    new Date(now.getTime() - kept).toISOString(),
  );
  const isOld = (alias: string) =>
    `${alias}.received_at < $2 and (starts_with(${alias}.source, 'batch ') or ${alias}.received_at < $3) and ${alias}.source <> $4`;
  return deleteAll(
    `delete from metric_batches m where m.tenant_id = $1 and ${isOld("m")} and m.source in
      (select o.source from metric_batches o where o.tenant_id = $1 and ${isOld("o")} limit ${maxDeleted})`,
    [tenantId, batches, sources, syntheticSource],
  );
}
