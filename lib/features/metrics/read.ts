import { sql } from "drizzle-orm";
import { databaseOn, lane, transaction } from "@/lib/database/open";
import { readWithin } from "@/lib/database/transaction";
import { perProcess } from "@/lib/protocol/per-process";
import {
  cube,
  labelColumns,
  sqlCallsOf,
  sqlEntry,
  sqlPlace,
  sqlPlaceOf,
  storedShape,
} from "./call-labels";
import { type Grain, grains, minuteMs } from "./grains";
import type { CallsQuery, Plan, Segment } from "./plan";
import type { Dimension } from "./values";

/** One packed row, or the sum of several: `packed` is the text of a PostgreSQL array. */
export interface PackedRow {
  at: number;
  grain: Grain;
  packed: string;
  wide: string | null;
  /** The values of the plan's `dimensions`, in their order. */
  values: string[];
}

export type Measure = "counts" | "latency";

type Row = Record<string, string | number | boolean | null>;

type Add = (value: unknown) => string;

function conditions(query: CallsQuery, add: Add): string {
  const found = Object.entries(query.filters).map(
    ([dimension, values]) => `s.${labelColumns[dimension as Dimension]} = any(${add(values)})`,
  );
  if (query.statusClasses.length > 0)
    found.push(`left(s.status, 1) = any(${add(query.statusClasses)})`);
  return found.map((condition) => ` and ${condition}`).join("");
}

interface SqlParts {
  measure: Measure;
  segment: Segment;
  /** The stored number of the shape. */
  shape: number;
  /** The plan's columns, each after a comma: with the names of metric_series, and with those of the subquery. */
  seriesColumns: string;
  columns: string;
  where: string;
  add: Add;
}

const epoch = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const dictionary =
  "join metric_series s on s.tenant_id = c.tenant_id and s.series_id = c.series_id and s.shape";

/** Marginal rows are few: the caller sums them. The rows of a group are returned as one with their values concatenated: see `unpack`. */
function marginals({ measure, segment: { tier }, shape, seriesColumns, where }: SqlParts): string {
  const packed =
    measure === "counts"
      ? "string_agg(c.counts::text, '') as packed, string_agg(coalesce(c.wide::text, '{}'), '') as wide"
      : "string_agg(c.latency::text, '') as packed, null as wide";
  return `select string_agg(${epoch("c.at")}::text, ',') as at, false as is_pending, ${packed}${seriesColumns} from ${tier.table} c ${dictionary} = ${shape}
    where c.tenant_id = $1 and c.shape = ${shape} and c.at >= $2 and c.at < $3${measure === "latency" ? " and c.latency is not null" : ""}${where}
    group by ${seriesColumns ? seriesColumns.slice(2) : "()"}`;
}

/** Splits the concatenated texts of arrays. */
function arraysIn(text: string): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("}", start) + 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** The packed rows of one group. */
function unpack(row: Row, grain: Grain, values: string[]): PackedRow[] {
  if (row.at === null) return [];
  const packed = arraysIn(String(row.packed));
  const wide = row.wide === null ? [] : arraysIn(String(row.wide));
  return String(row.at)
    .split(",")
    .map((at, index) => ({
      at: Number(at),
      grain,
      packed: packed[index] ?? "{}",
      wide: wide[index] === "{}" ? null : (wide[index] ?? null),
      values,
    }));
}

/** A cube's rows are summed by the database. */
function cubeRows(parts: SqlParts): string {
  const { measure, shape, seriesColumns, columns, where } = parts;
  const { tier } = parts.segment;
  const from = (extra: string) => `from ${tier.table} c ${dictionary} = ${shape}${extra}
    where c.tenant_id = $1 and c.shape = ${shape} and c.at >= $2 and c.at < $3${where}`;
  if (measure === "latency")
    return `select at, false as is_pending, array_agg(${sqlEntry("calls", "place")})::text as packed, null as wide${columns}
      from (select ${epoch("c.at")} as at, ${sqlPlaceOf("entry")} as place, sum(${sqlCallsOf("entry")})::bigint as calls${seriesColumns}
        ${from(" cross join unnest(c.latency) as entries (entry)")} group by c.at, ${sqlPlaceOf("entry")}${columns}) as places
      group by at${columns}`;
  const sums = Array.from(
    { length: tier.grain.slots },
    (_, index) => `(sum(c.counts[${index + 1}]) + coalesce(sum(c.wide[${index + 1}]), 0))::bigint`,
  );
  return `select ${epoch("c.at")} as at, false as is_pending, array[${sums.join(",")}]::text as packed, null as wide${seriesColumns} ${from("")} group by c.at${columns}`;
}

/** Pending entries as rows of minutes. Read in the same statement as the packed rows: each call is in exactly one of both. */
function pendingRows({
  measure,
  segment: { from, to },
  seriesColumns,
  columns,
  where,
  add,
}: SqlParts): string {
  const [first, end] = [from, to].map((at) => add(at / minuteMs));
  const packed =
    measure === "counts"
      ? "metric_slots(array_agg(minute % 60), array_agg(calls), 60)"
      : `array_agg(${sqlEntry("calls", sqlPlace("minute % 60", "bucket"))})`;
  return `select minute / 60 * 3600000::float8 as at, true as is_pending, ${packed}::text as packed, null as wide${columns}
    from (select e.minute, e.bucket, sum(e.calls)::bigint as calls${seriesColumns} from metric_tails c
      cross join unnest(c.series_ids, c.minutes, c.buckets, c.calls) as e (series_id, minute, bucket, calls)
      join metric_series s on s.tenant_id = c.tenant_id and s.shape = ${cube} and s.series_id = e.series_id
      where c.tenant_id = $1 and c.last_minute >= ${first} and c.first_minute < ${end} and e.minute >= ${first} and e.minute < ${end}
        and e.bucket ${measure === "counts" ? "= -1" : ">= 0"}${where}
      group by e.minute, e.bucket${columns}) as entries
    group by minute / 60${columns}`;
}

interface SegmentRead {
  plan: Plan;
  segment: Segment;
  measure: Measure;
}

function statementOf(query: CallsQuery, { plan, segment, measure }: SegmentRead) {
  const { tier, from, to } = segment;
  const values: unknown[] = [
    query.tenantId,
    new Date(tier.grain.rowStart(from)).toISOString(),
    new Date(to).toISOString(),
  ];
  const add: Add = (value) => `$${values.push(value)}`;
  const where = conditions(query, add);
  const shape = storedShape(plan.shape, query);
  const seriesColumns = plan.columns.map((column) => `, s.${column}`).join("");
  const columns = plan.columns.map((column) => `, ${column}`).join("");
  const parts: SqlParts = { measure, segment, shape, seriesColumns, columns, where, add };
  if (plan.shape !== cube) return { text: marginals(parts), values };
  // Sample traffic is written as rows: none of it is pending.
  if (query.isSample) return { text: cubeRows(parts), values };
  return { text: `${cubeRows(parts)} union all ${pendingRows(parts)}`, values };
}

/** Whether a pool connects to a Citus coordinator: queried once. */
const clusters = perProcess("clusters", () => new WeakMap<object, Promise<boolean>>());

function isCluster(): Promise<boolean> {
  const pool = lane("questions");
  const known = clusters().get(pool);
  if (known) return known;
  const asked = pool
    .query("select 1 from pg_extension where extname = 'citus'")
    .then(({ rows }) => rows.length > 0);
  clusters().set(pool, asked);
  asked.catch(() => clusters().delete(pool));
  return asked;
}

/**
 * The rows of a query that joins long lists, on the connections for queries, which have nested loops disabled. The nodes of a cluster
 * plan on their own: a setting only reaches them within a transaction. Unnamed: queries have so many forms that a prepared statement for
 * each would fill the server's memory.
 */
async function question(text: string, values: unknown[]): Promise<readonly Row[]> {
  const pool = lane("questions");
  if (!(await isCluster())) return (await pool.query<Row>({ text, values })).rows;
  return transaction(async (tx) => {
    await tx.execute(sql`set local enable_nestloop = off`);
    return readWithin<Row>(tx, text, values);
  }, databaseOn(pool));
}

/** The rows of one segment of a plan. */
export async function readSegment(query: CallsQuery, read: SegmentRead): Promise<PackedRow[]> {
  const { plan, segment } = read;
  const { grain } = segment.tier;
  const { text, values } = statementOf(query, read);
  const rows = await question(text, values);
  const valuesOf = (row: Row) => plan.columns.map((column) => String(row[column]));
  if (plan.shape !== cube) return rows.flatMap((row) => unpack(row, grain, valuesOf(row)));
  return rows.map((row) => ({
    at: Number(row.at),
    grain: row.is_pending === true ? grains.minute : grain,
    packed: String(row.packed),
    wide: row.wide === null || row.wide === undefined ? null : String(row.wide),
    values: valuesOf(row),
  }));
}

/** Calls `take` for each number of an array's text: hundreds of thousands of them, so no part of the text is copied. */
export function eachNumber(text: string, take: (value: number, index: number) => void): void {
  let value = 0;
  let index = 0;
  for (let i = 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) value = value * 10 + code - 48;
    else {
      take(value, index);
      value = 0;
      index += 1;
    }
  }
}
