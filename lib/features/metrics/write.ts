import { db } from "@/lib/database/open";
import { noteTail } from "./compaction";
import type { Cell } from "./dimensions";
import type { Keep } from "./grains";
import { marginalKeeps, type Packed, pack, type Row, type Tail } from "./pack";
import { preparePartitions } from "./partitions";
import { noteStored, type Series, unstored } from "./series";

/** Whose batch this is: of one source each seq lands once, and only after those before it. */
export interface Batch {
  tenantId: string;
  source: string;
  seq: number;
  digest?: Buffer;
}

const guardTypes = ["text", "text", "bigint", "bytea", "timestamptz"];
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
    insert into metric_batches (tenant_id, source, seq, digest, received_at) values (${parameters(1, guardTypes)})
    on conflict (tenant_id, source) do update set seq = excluded.seq, digest = excluded.digest, received_at = excluded.received_at
      where metric_batches.seq < excluded.seq
    returning source),
  known as (
    insert into metric_series (tenant_id, series_id, shape, domain, site, endpoint, method, status, api_key, user_id, credential_kind)
    select $1, given.series_id, given.shape, given.domain, given.site, given.endpoint, given.method, given.status,
      given.api_key, given.user_id, given.credential_kind
    from fresh, unnest(${parameters(1 + guardTypes.length, seriesTypes)})
      as given (series_id, shape, domain, site, endpoint, method, status, api_key, user_id, credential_kind)
    order by given.shape, given.series_id
    on conflict (tenant_id, shape, series_id) do nothing),
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

/** `isWide`: counts go where there are 63 bits for them. */
function rowColumns(rows: Row[], isWide: boolean): unknown[] {
  const counts = rows.map((row) => literal(row.counts));
  const none = rows.map(() => null);
  return [
    literal(rows.map((row) => row.series.shape)),
    rows.map((row) => new Date(row.at).toISOString()),
    literal(rows.map((row) => row.series.id)),
    isWide ? rows.map((row) => zeros.get(row.counts.length)) : counts,
    isWide ? counts : none,
    rows.map(latencyOf),
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
  const values = [
    tenantId,
    source,
    seq,
    digest ?? null,
    new Date(now).toISOString(),
    ...seriesColumns(missing),
    ...tailColumns(tail),
    ...marginalKeeps.flatMap((keep) => rowColumns(packed.get(keep) ?? [], isWide)),
  ];
  const { rows } = await db().$client.query<{ fresh: number }>({
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

/** Adds the cells in one statement. False when this batch had landed before: nothing was added. */
export async function writeCells(
  batch: Batch,
  cells: Iterable<Cell>,
  now = Date.now(),
): Promise<boolean> {
  await preparePartitions(now);
  const packed = pack(cells, now);
  try {
    return await send(batch, packed, now, false);
  } catch (error) {
    if (isTooBig(error)) return send(batch, packed, now, true);
    throw error;
  }
}
