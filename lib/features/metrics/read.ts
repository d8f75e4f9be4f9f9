import { lane } from "@/lib/database/open";
import { cube, type Dimension, dimensionOf } from "./dimensions";
import { type Grain, grains, minuteMs } from "./grains";
import type { Question } from "./metrics-query";
import type { Plan, Segment } from "./plan";
import { dimensionColumns as columns } from "./rooms";

/** One packed row, or the sum of several: `packed` is an array's text. */
export interface PackedRow {
  at: number;
  grain: Grain;
  packed: string;
  wide: string | null;
  /** The values of the question's dimensions, in their order. */
  values: string[];
}

type What = "counts" | "latency";

export const dimensionsOf = ({ groups }: Question): Dimension[] => [
  ...new Set(groups.map(dimensionOf)),
];

type Add = (value: unknown) => string;

function conditions(question: Question, add: Add): string {
  const found = Object.entries(question.filters).map(
    ([dimension, values]) => `s.${columns[dimension as Dimension]} = any(${add(values)})`,
  );
  if (question.statusClasses.length > 0)
    found.push(`left(s.status, 1) = any(${add(question.statusClasses)})`);
  return found.map((condition) => ` and ${condition}`).join("");
}

interface Asked {
  what: What;
  segment: Segment;
  shape: number;
  /** The question's dimensions as columns d0, d1 and so on. */
  shown: string;
  keys: string;
  where: string;
  add: Add;
}

const epoch = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const dictionary =
  "join metric_series s on s.tenant_id = c.tenant_id and s.series_id = c.series_id and s.shape";

/** Marginals are few: they are summed by whoever asked. */
function marginals({ what, segment: { keep }, shape, shown, where }: Asked): string {
  const packed =
    what === "counts"
      ? "c.counts::text as packed, c.wide::text as wide"
      : "c.latency::text as packed, null as wide";
  return `select ${epoch("c.at")} as at, false as is_tail, ${packed}${shown} from ${keep.table} c ${dictionary} = ${shape}
    where c.tenant_id = $1 and c.shape = ${shape} and c.at >= $2 and c.at < $3${what === "latency" ? " and c.latency is not null" : ""}${where}`;
}

/** A cube's rows are summed where they lie. */
function cubeRows({ what, segment: { keep }, shown, keys, where }: Asked): string {
  const from = (extra: string) => `from ${keep.table} c ${dictionary} = ${cube}${extra}
    where c.tenant_id = $1 and c.shape = ${cube} and c.at >= $2 and c.at < $3${where}`;
  if (what === "latency")
    return `select at, false as is_tail, array_agg(calls * 65536 + code)::text as packed, null as wide${keys}
      from (select ${epoch("c.at")} as at, entry & 65535 as code, sum(entry >> 16)::bigint as calls${shown}
        ${from(" cross join unnest(c.latency) as entries (entry)")} group by c.at, entry & 65535${keys}) as codes
      group by at${keys}`;
  const sums = Array.from(
    { length: keep.grain.slots },
    (_, index) => `(sum(c.counts[${index + 1}]) + coalesce(sum(c.wide[${index + 1}]), 0))::bigint`,
  );
  return `select ${epoch("c.at")} as at, false as is_tail, array[${sums.join(",")}]::text as packed, null as wide${shown} ${from("")} group by c.at${keys}`;
}

/** What the compactor has not packed yet, as rows of minutes. In the same statement as the packed rows: a call is in one of both. */
function tailRows({ what, segment: { from, to }, shown, keys, where, add }: Asked): string {
  const [first, end] = [from, to].map((at) => add(at / minuteMs));
  const packed =
    what === "counts"
      ? "metric_slots(array_agg(minute % 60), array_agg(calls), 60)"
      : "array_agg(calls * 65536 + minute % 60 * 256 + bucket)";
  return `select minute / 60 * 3600000::float8 as at, true as is_tail, ${packed}::text as packed, null as wide${keys}
    from (select e.minute, e.bucket, sum(e.calls)::bigint as calls${shown} from metric_tails c
      cross join unnest(c.series_ids, c.minutes, c.buckets, c.calls) as e (series_id, minute, bucket, calls)
      join metric_series s on s.tenant_id = c.tenant_id and s.shape = ${cube} and s.series_id = e.series_id
      where c.tenant_id = $1 and c.last_minute >= ${first} and c.first_minute < ${end} and e.minute >= ${first} and e.minute < ${end}
        and e.bucket ${what === "counts" ? "= -1" : ">= 0"}${where}
      group by e.minute, e.bucket${keys}) as entries
    group by minute / 60${keys}`;
}

function statementOf(question: Question, shape: number, segment: Segment, what: What) {
  const { keep, from, to } = segment;
  const values: unknown[] = [
    question.tenantId,
    new Date(keep.grain.rowStart(from)).toISOString(),
    new Date(to).toISOString(),
  ];
  const add: Add = (value) => `$${values.push(value)}`;
  const where = conditions(question, add);
  const named = dimensionsOf(question);
  const shown = named.map((dimension, index) => `, s.${columns[dimension]} as d${index}`).join("");
  const keys = named.map((_, index) => `, d${index}`).join("");
  const asked: Asked = { what, segment, shape, shown, keys, where, add };
  return {
    text: shape === cube ? `${cubeRows(asked)} union all ${tailRows(asked)}` : marginals(asked),
    values,
  };
}

/** The rows of one segment of a plan. Unnamed: there are so many forms of questions that a prepared statement for each would fill the server. */
export async function readSegment(
  question: Question,
  { shape }: Plan,
  segment: Segment,
  what: What,
): Promise<PackedRow[]> {
  const { text, values } = statementOf(question, shape, segment, what);
  const { rows } = await lane("questions").query<Record<string, string | number | boolean | null>>({
    text,
    values,
  });
  const keys = dimensionsOf(question).map((_, index) => `d${index}`);
  return rows.map((row) => ({
    at: Number(row.at),
    grain: row.is_tail === true ? grains.minute : segment.keep.grain,
    packed: String(row.packed),
    wide: row.wide === null || row.wide === undefined ? null : String(row.wide),
    values: keys.map((key) => String(row[key])),
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
