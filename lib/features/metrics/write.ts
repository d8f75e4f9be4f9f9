import { storeNow } from "@/lib/database/clock";
import { type Lane, lane } from "@/lib/database/open";
import { limitValues } from "./cardinality";
import { noteTail } from "./compaction";
import type { Cell } from "./dimensions";
import { dayMs, type Keep } from "./grains";
import { marginalKeeps, type Packed, pack, type Row, type Tail } from "./pack";
import { forgetPartitions, isPartitionMissing, preparePartitions } from "./partitions";
import { noteStored, type Series, unstored } from "./series";
import { takeTurns } from "./take-turns";

/** Whose batch this is: of one source each seq lands once, and only after those before it. */
export interface Batch {
  tenantId: string;
  source: string;
  seq: number;
  digest?: Buffer;
  /** Whose connections it is written on: those of our own counts unless it says so. */
  lane?: Lane;
}

const guardTypes = ["text", "text", "bigint", "bytea", "timestamptz", "timestamptz"];
const seriesTypes = [
  "bigint[]",
  "smallint[]",
  "text[]",
  "text[]",
  "text[]",
  "text[]",
  "text[]",
  "text[]",
  "text[]",
  "text[]",
];
const tailTypes = [
  "integer",
  "integer",
  "integer",
  "bigint[]",
  "integer[]",
  "smallint[]",
  "bigint[]",
];
const rowTypes = ["smallint[]", "timestamptz[]", "bigint[]", "text[]", "text[]", "text[]"];

const tailFrom = 1 + guardTypes.length + seriesTypes.length;
const rowsFrom = (index: number) => tailFrom + tailTypes.length + index * rowTypes.length;

const parameters = (from: number, types: string[]) =>
  types.map((type, index) => `$${from + index}::${type}`).join(", ");

function upsert({ table }: Keep, from: number): string {
  return `into_${table} as (
    insert into ${table} (tenant_id, shape, at, series_id, counts, wide, latency)
    select $1, given.shape, given.at, given.series_id, given.counts::int[], given.wide::bigint[], given.latency::bigint[]
    from fresh, unnest(${parameters(from, rowTypes)}) as given (shape, at, series_id, counts, wide, latency)
    order by given.shape, given.at, given.series_id
    on conflict (tenant_id, shape, at, series_id) do update set
      counts = metric_add(${table}.counts, excluded.counts),
      wide = coalesce(metric_add(${table}.wide, excluded.wide), ${table}.wide, excluded.wide),
      latency = coalesce(metric_fold(${table}.latency, excluded.latency), ${table}.latency, excluded.latency))`;
}

/** The guard and everything it guards are one statement: it happens once and whole. Sorted, or concurrent writers wait in a circle. */
const statement = `with fresh as (
    insert into metric_batches (tenant_id, source, seq, digest, received_at) values (${parameters(1, guardTypes.slice(0, 5))})
    on conflict (tenant_id, source) do update set seq = excluded.seq, digest = excluded.digest, received_at = excluded.received_at
      where metric_batches.seq < excluded.seq
    returning source),
  known as (
    insert into metric_series (tenant_id, series_id, shape, domain, site, endpoint, method, status, api_key, user_id, credential_kind, seen_at)
    select $1, given.series_id, given.shape, given.domain, given.site, given.endpoint, given.method, given.status,
      given.api_key, given.user_id, given.credential_kind, $5
    from fresh, unnest(${parameters(1 + guardTypes.length, seriesTypes)})
      as given (series_id, shape, domain, site, endpoint, method, status, api_key, user_id, credential_kind)
    order by given.shape, given.series_id
    on conflict (tenant_id, shape, series_id) do update set seen_at = excluded.seen_at where metric_series.seen_at < $6),
  tail as (
    insert into metric_tails (tenant_id, source, seq, landed_at, entries, first_minute, last_minute, series_ids, minutes, buckets, calls)
    select $1, $2, $3, $5, ${parameters(tailFrom, tailTypes)} from fresh where $${tailFrom} > 0),
  ${marginalKeeps.map((keep, index) => upsert(keep, rowsFrom(index))).join(",\n  ")}
  select count(fresh.source)::int as fresh from fresh`;

const literal = (values: Iterable<number | string>) => `{${[...values].join(",")}}`;

const zeros = new Map(
  marginalKeeps.map(({ grain }) => [grain.slots, `{${Array(grain.slots).fill(0).join(",")}}`]),
);

function latencyOf({ latency }: Row): string | null {
  return latency.size === 0
    ? null
    : literal([...latency].map(([code, calls]) => calls * 65_536 + code));
}

function seriesColumns(series: Series[]): unknown[] {
  const values =
    series[0]?.values.map((_, index) => series.map((one) => one.values[index])) ??
    Array<unknown[]>(8).fill([]);
  return [literal(series.map((one) => one.id)), literal(series.map((one) => one.shape)), ...values];
}

function tailColumns({ seriesIds, minutes, buckets, calls }: Tail): unknown[] {
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
  for (const minute of minutes) [first, last] = [Math.min(first, minute), Math.max(last, minute)];
  return [
    minutes.length,
    Math.min(first, last),
    last,
    ...[seriesIds, minutes, buckets, calls].map(literal),
  ];
}

/** An array's text of arrays' texts and nulls, made in turns: tens of thousands of rows are many milliseconds. */
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

/** `isWide`: counts go where there are 63 bits for them. */
async function rowColumns(rows: Row[], isWide: boolean): Promise<unknown[]> {
  const counts = await arrayText(rows, (row) => literal(row.counts));
  return [
    literal(rows.map((row) => row.series.shape)),
    literal(rows.map((row) => `"${new Date(row.at).toISOString()}"`)),
    literal(rows.map((row) => row.series.id)),
    isWide ? await arrayText(rows, (row) => zeros.get(row.counts.length) ?? null) : counts,
    isWide ? counts : await arrayText(rows, none),
    await arrayText(rows, latencyOf),
  ];
}

async function send(
  batch: Batch,
  { series, tail, rows: packed }: Packed,
  now: number,
  isWide: boolean,
): Promise<boolean> {
  const { tenantId, source, seq, digest } = batch;
  const missing = unstored(tenantId, series, now);
  const columns: unknown[] = [];
  for (const keep of marginalKeeps)
    columns.push(...(await rowColumns(packed.get(keep) ?? [], isWide)));
  const guard = [
    tenantId,
    source,
    seq,
    digest ?? null,
    new Date(now).toISOString(),
    new Date(now - dayMs).toISOString(),
  ];
  const values = [...guard, ...seriesColumns(missing), ...tailColumns(tail), ...columns];
  const { rows } = await lane(batch.lane ?? "metrics").query<{ fresh: number }>({
    name: "metrics-write",
    text: statement,
    values,
  });
  if (rows[0]?.fresh !== 1) return false;
  noteStored(tenantId, missing);
  await noteTail(tenantId, tail.minutes.length);
  return true;
}

const isTooBig = (error: unknown) => (error as { code?: string }).code === "22003";

async function write(batch: Batch, cells: readonly Cell[], now: number): Promise<boolean> {
  const packed = await pack(cells, await preparePartitions(now));
  try {
    return await send(batch, packed, now, false);
  } catch (error) {
    if (isTooBig(error)) return send(batch, packed, now, true);
    throw error;
  }
}

/** Adds the cells in one statement. False when this batch had landed before: nothing was added. */
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
