import type { Caller } from "@/lib/access/caller";
import { describeKeys } from "@/lib/access/key-descriptions";
import { lane } from "@/lib/database/open";
import { cube, labelColumns, shapeFor } from "./call-labels";
import type { MetricsMetadata } from "./contract";
import { countedSince } from "./counted-since";
import { retentionTiers } from "./grains";
import { isStep } from "./periods";
import { type Dimension, groups, limits, units } from "./values";

const maxValues = 1000;

/** The guard row of generated traffic: its presence is the flag. */
export const syntheticSource = "synthetic-traffic";

/** The values that a dimension has had; of a site only, where the caller's authority comes from there. */
async function valuesOf(
  tenantId: string,
  dimension: Dimension,
  onlySite: string | undefined,
): Promise<string[]> {
  const column = labelColumns[dimension];
  const shape = onlySite === undefined ? shapeFor(new Set([dimension])) : cube;
  const { rows } = await lane("questions").query<{ value: string }>(
    `select distinct s.${column} as value from metric_series s
      where s.tenant_id = $1 and s.shape = $2 and s.${column} <> '' and ($3::text is null or s.site = $3) order by 1 limit ${maxValues}`,
    [tenantId, shape, onlySite ?? null],
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
  onlySite: string | undefined,
): Promise<MetricsMetadata> {
  const values = (dimension: Dimension) => valuesOf(tenantId, dimension, onlySite);
  const [domains, sites, endpoints, statuses, apiKeys, synthetic, since] = await Promise.all([
    values("domain"),
    values("site"),
    values("endpoint"),
    values("status"),
    values("apiKey"),
    isSynthetic(tenantId),
    countedSince(tenantId),
  ]);
  const names = await describeKeys(tenantId, apiKeys);
  return {
    domains,
    sites,
    endpoints,
    statuses,
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
    isSynthetic: synthetic,
    countedSince: since,
  };
}
