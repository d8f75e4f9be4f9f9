import { db } from "@/lib/db/open";
import type { Cell } from "./dimensions";
import { type Keep, keeps } from "./grains";
import { type Packed, pack, type Row, type Series } from "./pack";
import { preparePartitions } from "./partitions";

/** Whose batch this is: of one source each seq lands once, and only after those before it. */
export interface Batch {
  tenantId: string;
  source: string;
  seq: number;
  digest?: Buffer;
}

const fewest = 5;

function parameters(count: number, from: number, types: string[]): string {
  return types
    .slice(0, count)
    .map((type, index) => `$${from + index}::${type}`)
    .join(", ");
}

const seriesTypes = ["bigint[]", "smallint[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]"];
const rowTypes = ["smallint[]", "timestamptz[]", "bigint[]", "text[]", "text[]", "text[]"];

function upsert({ table }: Keep, from: number): string {
  return `into_${table} as (
    insert into ${table} (tenant_id, shape, at, series_id, counts, wide, latency)
    select $1, given.shape, given.at, given.series_id, given.counts::int[], given.wide::bigint[], given.latency::bigint[]
    from fresh, unnest(${parameters(6, from, rowTypes)}) as given (shape, at, series_id, counts, wide, latency)
    order by given.shape, given.at, given.series_id
    on conflict (tenant_id, shape, at, series_id) do update set
      counts = metric_add(${table}.counts, excluded.counts),
      wide = coalesce(metric_add(${table}.wide, excluded.wide), ${table}.wide, excluded.wide),
      latency = coalesce(metric_fold(${table}.latency, excluded.latency), ${table}.latency, excluded.latency))`;
}

const seriesFrom = fewest + 1;
const rowsFrom = (index: number) => seriesFrom + seriesTypes.length + index * rowTypes.length;

/** The guard and everything it guards are one statement: it happens once and whole. Sorted, or concurrent writers wait in a circle. */
const statement = `with fresh as (
    insert into metric_batches (tenant_id, source, seq, digest, received_at) values ($1, $2, $3, $4, $5)
    on conflict (tenant_id, source) do update set seq = excluded.seq, digest = excluded.digest, received_at = excluded.received_at
      where metric_batches.seq < excluded.seq
    returning source),
  known as (
    insert into metric_series (tenant_id, series_id, shape, domain, site, endpoint, method, status, api_key, user_id, credential_kind)
    select $1, given.series_id, given.shape, given.domain, given.site, given.endpoint, given.method, given.status,
      given.api_key, given.user_id, given.credential_kind
    from fresh, unnest(${parameters(10, seriesFrom, seriesTypes)})
      as given (series_id, shape, domain, site, endpoint, method, status, api_key, user_id, credential_kind)
    order by given.series_id
    on conflict (tenant_id, series_id) do nothing),
  ${keeps.map((keep, index) => upsert(keep, rowsFrom(index))).join(",\n  ")}
  select count(fresh.source)::int as fresh from fresh`;

const literal = (values: Iterable<number>) => `{${[...values].join(",")}}`;

const zeros = new Map(keeps.map(({ grain }) => [grain.slots, `{${Array(grain.slots).fill(0).join(",")}}`]));

function latencyOf({ latency }: Row): string | null {
  return latency.size === 0 ? null : literal([...latency].map(([code, calls]) => calls * 65_536 + code));
}

function seriesColumns(series: Series[]): unknown[] {
  const values = series[0]?.values.map((_, index) => series.map((one) => one.values[index])) ?? Array<unknown[]>(8).fill([]);
  return [series.map((one) => one.id), series.map((one) => one.shape), ...values];
}

/** `isWide`: counts go where there are 63 bits for them. */
function rowColumns(rows: Row[], isWide: boolean): unknown[] {
  const counts = rows.map((row) => literal(row.counts));
  const none = rows.map(() => null);
  return [
    rows.map((row) => row.series.shape),
    rows.map((row) => new Date(row.at).toISOString()),
    rows.map((row) => row.series.id),
    isWide ? rows.map((row) => zeros.get(row.counts.length)) : counts,
    isWide ? counts : none,
    rows.map(latencyOf),
  ];
}

async function send(batch: Batch, packed: Packed, now: number, isWide: boolean): Promise<boolean> {
  const { tenantId, source, seq, digest } = batch;
  const values = [
    tenantId,
    source,
    seq,
    digest ?? null,
    new Date(now).toISOString(),
    ...seriesColumns(packed.series),
    ...keeps.flatMap((keep) => rowColumns(packed.rows.get(keep) ?? [], isWide)),
  ];
  const { rows } = await db().$client.query<{ fresh: number }>({ name: "metrics-write", text: statement, values });
  return rows[0]?.fresh === 1;
}

const isTooBig = (error: unknown) => (error as { code?: string }).code === "22003";

/** Adds the cells in one statement. False when this batch had landed before: nothing was added. */
export async function writeCells(batch: Batch, cells: Iterable<Cell>, now = Date.now()): Promise<boolean> {
  await preparePartitions(now);
  const packed = pack(cells, now);
  try {
    return await send(batch, packed, now, false);
  } catch (error) {
    if (isTooBig(error)) return send(batch, packed, now, true);
    throw error;
  }
}
