import { everyNode } from "@/lib/database/blocked";
import { storeNow } from "@/lib/database/clock";
import { isInternalFailure, isNodeAway } from "@/lib/database/failures";
import type { StorePool } from "@/lib/database/loan";
import { type Lane, lane } from "@/lib/database/open";
import { readWithin, runTransaction, type Transaction } from "@/lib/database/transaction";
import { perProcess } from "@/lib/protocol/per-process";
import { takeTurns } from "@/lib/protocol/take-turns";
import { type Cell, encodeEntry, labelColumnNames } from "./call-labels";
import { limitValues } from "./cardinality";
import { isOutOfRange, notePendingEntries } from "./compaction";
import { dayMs, type RetentionTier } from "./grains";
import { marginalTiers, type Packed, type PendingEntries, pack, type Row } from "./pack";
import { forgetPartitions, isPartitionMissing, preparePartitions } from "./partitions";
import { noteStored, type Series, unstored } from "./series";

/** Identifies a batch: of each source every seq is counted once, in order. */
export interface Batch {
  tenantId: string;
  source: string;
  seq: number;
  digest?: Buffer;
  /** The connection pool to write with: by default that of this process's counts. */
  lane?: Lane;
}

const guardTypes = ["text", "text", "bigint", "bytea", "timestamptz", "timestamptz"];
export const seriesTypes = ["bigint[]", "smallint[]", ...labelColumnNames.map(() => "text[]")];
const pendingTypes = [
  "integer",
  "integer",
  "integer",
  "bigint[]",
  "integer[]",
  "smallint[]",
  "bigint[]",
];
const rowTypes = ["smallint[]", "timestamptz[]", "bigint[]", "text[]", "text[]", "text[]"];

const pendingFrom = 1 + guardTypes.length + seriesTypes.length;
const rowsFrom = (index: number) => pendingFrom + pendingTypes.length + index * rowTypes.length;

/** Marks the place in a part of the single statement where its dependency on the guard is inserted. */
const guarded = "/* guarded */ ";

export const parameters = (from: number, types: string[]) =>
  types.map((type, index) => `$${from + index}::${type}`).join(", ");

/** Adds rows to a table: `$1` is the tenant, the column parameters start at `from`. */
export const upsert = ({ table }: RetentionTier, from: number) => `
    insert into ${table} (tenant_id, shape, at, series_id, counts, wide, latency)
    select $1::text, given.shape, given.at, given.series_id, given.counts::int[], given.wide::bigint[], given.latency::bigint[]
    from ${guarded}unnest(${parameters(from, rowTypes)}) as given (shape, at, series_id, counts, wide, latency)
    order by given.shape, given.at, given.series_id
    on conflict (tenant_id, shape, at, series_id) do update set
      counts = metric_add(${table}.counts, excluded.counts),
      wide = coalesce(metric_add(${table}.wide, excluded.wide), ${table}.wide, excluded.wide),
      latency = coalesce(metric_fold(${table}.latency, excluded.latency), ${table}.latency, excluded.latency)`;

const guard = `
    insert into metric_batches (tenant_id, source, seq, digest, received_at) values (${parameters(1, guardTypes.slice(0, 5))})
    on conflict (tenant_id, source) do update set seq = excluded.seq, digest = excluded.digest, received_at = excluded.received_at
      where metric_batches.seq < excluded.seq
    returning source`;

/** The writes that depend on the guard. Sorted, because concurrent writers would deadlock otherwise. */
const steps = [
  `insert into metric_series (tenant_id, series_id, shape, ${labelColumnNames.join(", ")}, seen_at)
    select $1::text, given.series_id, given.shape, ${labelColumnNames.map((column) => `given.${column}`).join(", ")}, $5::timestamptz
    from ${guarded}unnest(${parameters(1 + guardTypes.length, seriesTypes)})
      as given (series_id, shape, ${labelColumnNames.join(", ")})
    order by given.shape, given.series_id
    on conflict (tenant_id, shape, series_id) do update set seen_at = excluded.seen_at where metric_series.seen_at < $6::timestamptz`,
  `insert into metric_tails (tenant_id, source, seq, landed_at, entries, first_minute, last_minute, series_ids, minutes, buckets, calls)
    select $1::text, $2::text, $3::bigint, $5::timestamptz, given.*
    from ${guarded}(select ${parameters(pendingFrom, pendingTypes)}) as given (entries) where given.entries > 0`,
  ...marginalTiers.map((tier, index) => upsert(tier, rowsFrom(index))),
];

/** All parts as one statement, which is atomic. On a cluster it involves every node, because parts pass rows to each other. */
const statement = `${everyNode}with fresh as (${guard}),
  ${steps.map((step, index) => `step_${index} as (${step.replace(guarded, "fresh, ")})`).join(",\n  ")}
  select count(fresh.source)::int as fresh from fresh`;

/** How long after an unavailable node or a shard move each part is a separate statement, which only involves the tenant's node. */
const apartMs = 10_000;
const apart = perProcess("metrics-apart", () => ({ until: 0 }));

/**
 * Runs a part as a separate statement, with the values that it uses. A Citus coordinator cannot infer the type of a parameter that only
 * ON CONFLICT uses, so that one is inlined.
 */
function runPart(tx: Transaction, part: string, values: readonly unknown[]) {
  const own: unknown[] = [];
  const text = part
    .replace(guarded, "")
    .replace("$6::timestamptz", `timestamptz '${values[5]}'`)
    .replace(/\$(\d+)/g, (_, place) => `$${own.push(values[Number(place) - 1])}`);
  return readWithin(tx, text, own);
}

function writeApart(on: StorePool, values: readonly unknown[]): Promise<boolean> {
  return runTransaction(on, async (tx) => {
    if ((await runPart(tx, guard, values)).length === 0) return false;
    for (const step of steps) await runPart(tx, step, values);
    return true;
  });
}

async function writeAll(on: StorePool, values: unknown[]): Promise<boolean> {
  if (performance.now() < apart().until) return writeApart(on, values);
  try {
    const query = { name: "metrics-write", text: statement, values };
    return (await on.query<{ fresh: number }>(query)).rows[0]?.fresh === 1;
  } catch (error) {
    if (!isNodeAway(error) && !isInternalFailure(error)) throw error;
    apart().until = performance.now() + apartMs;
    return writeApart(on, values);
  }
}

const literal = (values: Iterable<number | string>) => `{${[...values].join(",")}}`;

const zeros = ",0".repeat(Math.max(...marginalTiers.map(({ grain }) => grain.slots)));

/** The text of this many counts, most of which are 0: sliced from one text of zeros, because a row has up to 96 of them. */
function countsText(counts: Row["counts"], slots: number): string {
  let text = "";
  let next = 0;
  for (const [slot, calls] of [...counts].sort(([one], [other]) => one - other)) {
    text += `${zeros.slice(0, 2 * (slot - next))},${calls}`;
    next = slot + 1;
  }
  return `{${text.slice(1)}${zeros.slice(text === "" ? 1 : 0, 2 * (slots - next))}}`;
}

function latencyOf({ latency }: Row): string | null {
  return latency.size === 0
    ? null
    : literal([...latency].map(([place, calls]) => encodeEntry(place, calls)));
}

export function seriesColumns(series: Series[]): unknown[] {
  const values = labelColumnNames.map((_, index) => series.map((one) => one.values[index]));
  return [literal(series.map((one) => one.id)), literal(series.map((one) => one.shape)), ...values];
}

function pendingColumns({ seriesIds, minutes, buckets, calls }: PendingEntries): unknown[] {
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
  for (const minute of minutes) [first, last] = [Math.min(first, minute), Math.max(last, minute)];
  return [
    minutes.length,
    Math.min(first, last),
    last,
    ...[seriesIds, minutes, buckets, calls].map(literal),
  ];
}

/** The text of an array of array texts and nulls, built in turns: tens of thousands of rows take many milliseconds. */
async function arrayText(rows: Row[], textOf: (row: Row) => string | null): Promise<string> {
  const turn = takeTurns();
  const texts: string[] = [];
  for (const row of rows) {
    await turn();
    const text = textOf(row);
    texts.push(text === null ? "null" : `"${text}"`);
  }
  return literal(texts);
}

const none = () => null;

/** `isWide`: writes the counts to the 63-bit column. */
export async function rowColumns(rows: Row[], slots: number, isWide = false): Promise<unknown[]> {
  const counts = await arrayText(rows, (row) => countsText(row.counts, slots));
  const noCounts = countsText(new Map(), slots);
  return [
    literal(rows.map((row) => row.series.shape)),
    literal(rows.map((row) => `"${new Date(row.at).toISOString()}"`)),
    literal(rows.map((row) => row.series.id)),
    isWide ? await arrayText(rows, () => noCounts) : counts,
    isWide ? counts : await arrayText(rows, none),
    await arrayText(rows, latencyOf),
  ];
}

async function send(
  batch: Batch,
  { series, pending, rows: packed }: Packed,
  now: number,
  isWide: boolean,
): Promise<boolean> {
  const { tenantId, source, seq, digest } = batch;
  const missing = unstored(tenantId, series, now);
  const columns: unknown[] = [];
  for (const tier of marginalTiers)
    columns.push(...(await rowColumns(packed.get(tier) ?? [], tier.grain.slots, isWide)));
  const facts = [
    tenantId,
    source,
    seq,
    digest ?? null,
    new Date(now).toISOString(),
    new Date(now - dayMs).toISOString(),
  ];
  const values = [...facts, ...seriesColumns(missing), ...pendingColumns(pending), ...columns];
  if (!(await writeAll(lane(batch.lane ?? "metrics"), values))) return false;
  noteStored(tenantId, missing);
  await notePendingEntries(tenantId, pending.minutes.length);
  return true;
}

async function write(batch: Batch, cells: readonly Cell[], now: number): Promise<boolean> {
  const packed = await pack(cells, await preparePartitions(now));
  try {
    return await send(batch, packed, now, false);
  } catch (error) {
    if (isOutOfRange(error)) return send(batch, packed, now, true);
    throw error;
  }
}

/** Adds the cells, all or none. False if this batch was already counted: nothing was added. */
export async function writeCells(
  batch: Batch,
  cells: Iterable<Cell>,
  now = storeNow(),
): Promise<boolean> {
  const limited = await limitValues(lane(batch.lane ?? "metrics"), batch.tenantId, [...cells]);
  try {
    return await write(batch, limited, now);
  } catch (error) {
    if (!isPartitionMissing(error)) throw error;
    forgetPartitions();
    return write(batch, limited, now);
  }
}
