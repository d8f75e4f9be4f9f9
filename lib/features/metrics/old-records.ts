import { lane } from "@/lib/database/open";
import { dayMs, retentionTiers } from "./grains";
import { syntheticSource } from "./metadata";

/** A series outlives every row that may name it: the longest retention, the width of its partition, and a month in hand. */
export const seriesKeptMilliseconds =
  (Math.max(...retentionTiers.map(({ days }) => days)) + 366 + 31) * dayMs;

/** How long ids of batches that were sent to us are known: the same id later is another batch. */
export const batchesKeptMilliseconds = 8 * dayMs;
/** Processes and imports are known for longer: what an ended process left may be found late, and a log imported again. */
const sourcesKeptMs = seriesKeptMilliseconds;

/** Deletes in parts, so that every statement is short and nobody waits behind one. */
const maxDeleted = 5000;

async function deleteAll(text: string, values: unknown[]): Promise<void> {
  let deleted: number;
  do {
    deleted = (await lane("metrics").query({ text, values })).rowCount ?? 0;
  } while (deleted === maxDeleted);
}

/** Forgets series that nothing counted names any more; called by the hourly cleaning. */
export function forgetOldSeries(tenantId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - seriesKeptMilliseconds).toISOString();
  return deleteAll(
    `delete from metric_series where tenant_id = $1 and seen_at < $2 and (shape, series_id) in
      (select s.shape, s.series_id from metric_series s where s.tenant_id = $1 and s.seen_at < $2 limit ${maxDeleted})`,
    [tenantId, before],
  );
}

/** Forgets the ids of batches, processes and imports that cannot come again; called by the hourly cleaning. */
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
