import { databaseOn, lane } from "@/lib/database/open";
import { readWithin, type Transaction } from "@/lib/database/transaction";
import { labelColumnNames, sampleShapes } from "./call-labels";
import type { SampleTrafficAnswer } from "./contract";
import { dayMs, hourMs, minuteMs, retentionTiers } from "./grains";
import type { Packed, Row } from "./pack";
import type { Series } from "./series";
import { parameters, rowColumns, seriesColumns, seriesTypes, upsert } from "./write";

/** When a tenant's sample traffic was added, and the range of its calls. */
export interface SampleTraffic {
  addedAt: Date;
  from: Date;
  to: Date;
  /** It is removed then. */
  expiresAt: Date;
}

/** A day, the previous day for comparison, and two hours because a chart starts early. */
const sampleMs = 50 * hourMs;
/** Its newest day is charted by the minute, and minutes are retained for 8 days. */
const keptDays = 7;

/** The source of the row that marks sample traffic, in the table of batches: its number is the minute after the last call. */
const source = "sample-traffic";

/** The sample traffic that was added at a time, with calls until this minute. */
export function sampleUntil(minute: number, addedAt: Date): SampleTraffic {
  const to = new Date(minute * minuteMs);
  return {
    addedAt,
    to,
    from: new Date(Math.floor((to.getTime() - sampleMs) / hourMs) * hourMs),
    expiresAt: new Date(addedAt.getTime() + keptDays * dayMs),
  };
}

/** The representation in the API. */
export const toSampleTraffic = (sample: SampleTraffic): SampleTrafficAnswer => ({
  from: sample.from.toISOString(),
  to: sample.to.toISOString(),
  expiresAt: sample.expiresAt.toISOString(),
});

export async function findSample(tenantId: string): Promise<SampleTraffic | undefined> {
  const { rows } = await lane("questions").query<{ seq: string; addedAt: Date }>(
    `select seq, received_at as "addedAt" from metric_batches where tenant_id = $1 and source = $2`,
    [tenantId, source],
  );
  const [row] = rows;
  return row && sampleUntil(Number(row.seq), new Date(row.addedAt));
}

/** Reserves the tenant's single set of sample traffic. Waits for transactions that add or remove it. */
export async function claimSample(
  tx: Transaction,
  tenantId: string,
  { addedAt, to }: SampleTraffic,
): Promise<boolean> {
  const claimed = await readWithin(
    tx,
    `insert into metric_batches (tenant_id, source, seq, received_at) values ($1, $2, $3::bigint, $4::timestamptz)
      on conflict (tenant_id, source) do nothing returning source`,
    [tenantId, source, to.getTime() / minuteMs, addedAt.toISOString()],
  );
  return claimed.length > 0;
}

const shifted = (series: Series): Series => ({ ...series, shape: series.shape + sampleShapes });
const shiftedRow = (row: Row): Row => ({ ...row, series: shifted(row.series) });

const insertSeries = `insert into metric_series (tenant_id, series_id, shape, ${labelColumnNames.join(", ")}, seen_at)
  select $1::text, given.series_id, given.shape, ${labelColumnNames.map((column) => `given.${column}`).join(", ")}, $2::timestamptz
  from unnest(${parameters(3, seriesTypes)}) as given (series_id, shape, ${labelColumnNames.join(", ")})
  on conflict (tenant_id, shape, series_id) do nothing`;

interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that add the calls to the sample traffic. They do not use the processes' caches of a tenant's real calls. */
export async function insertsOf(
  tenantId: string,
  { series, rows }: Packed,
  { addedAt }: SampleTraffic,
): Promise<Statement[]> {
  const dictionary = seriesColumns([...series].map(shifted));
  const inserts = [
    { text: insertSeries, values: [tenantId, addedAt.toISOString(), ...dictionary] },
  ];
  for (const [tier, packed] of rows) {
    const columns = await rowColumns(packed.map(shiftedRow), tier.grain.slots);
    inserts.push({ text: upsert(tier, 2), values: [tenantId, ...columns] });
  }
  return inserts;
}

export async function runInserts(tx: Transaction, inserts: readonly Statement[]): Promise<void> {
  for (const { text, values } of inserts) await readWithin(tx, text, values);
}

/** Deletes the tenant's sample traffic. Whether there was any. */
export async function deleteSample(tx: Transaction, tenantId: string): Promise<boolean> {
  const removed = await readWithin(
    tx,
    "delete from metric_batches where tenant_id = $1 and source = $2 returning source",
    [tenantId, source],
  );
  if (removed.length === 0) return false;
  for (const table of [...retentionTiers.map((tier) => tier.table), "metric_series"])
    await readWithin(tx, `delete from ${table} where tenant_id = $1 and shape >= ${sampleShapes}`, [
      tenantId,
    ]);
  return true;
}

/** Limited to a few connections, so that no request waits for one because of sample traffic. */
export const sampleLane = () => databaseOn(lane("batches"));
