import { lane } from "@/lib/database/open";
import { total } from "./call-labels";
import { dayMs, type RetentionTier, tiers } from "./grains";

/** The start of the first slot of a grain in which the tenant has a call: the oldest row of each domain is looked at. */
async function firstSlot(
  tenantId: string,
  { table, grain }: RetentionTier,
): Promise<number | undefined> {
  const { rows } = await lane("questions").query<{ at: number; counts: number[] }>(
    `select (extract(epoch from c.at) * 1000)::float8 as at, c.counts from ${table} c
      where c.tenant_id = $1 and c.shape = ${total} and c.at = (
        select o.at from ${table} o where o.tenant_id = $1 and o.shape = ${total} order by o.at limit 1)`,
    [tenantId],
  );
  const slots = rows.map(({ counts }) => counts.findIndex((count) => count > 0));
  const first = Math.min(...slots.filter((slot) => slot >= 0));
  const at = rows[0]?.at;
  return at === undefined || !Number.isFinite(first) ? undefined : at + first * grain.slotMs;
}

/** When the first call was counted that is kept: to a quarter of an hour, or to the day where it is older than quarters are kept. */
export async function countedSince(tenantId: string): Promise<string | null> {
  const [quarter, day] = await Promise.all([
    firstSlot(tenantId, tiers.quarters),
    firstSlot(tenantId, tiers.days),
  ]);
  const known = [quarter, day].filter((at) => at !== undefined);
  if (known.length === 0) return null;
  const isSameDay = quarter !== undefined && day !== undefined && quarter - day < dayMs;
  return new Date(isSameDay ? quarter : Math.min(...known)).toISOString();
}
