import { createHash } from "node:crypto";
import { db } from "@/lib/db/open";
import { cube, type Dimension, dimensionOf } from "./dimensions";
import type { Plan, Segment } from "./plan";
import type { Question } from "./question";

const columns: Record<Dimension, string> = {
  domain: "domain",
  site: "site",
  endpoint: "endpoint",
  method: "method",
  status: "status",
  apiKey: "api_key",
  user: "user_id",
  credentialKind: "credential_kind",
};

/** One packed row, or the sum of several: `packed` is an array's text. */
export interface PackedRow {
  at: number;
  packed: string;
  wide: string | null;
  /** The values of the question's dimensions, in their order. */
  values: string[];
}

type What = "counts" | "latency";

export const dimensionsOf = ({ groups }: Question): Dimension[] => [...new Set(groups.map(dimensionOf))];

function conditions(question: Question, add: (value: unknown) => string): string {
  const found = Object.entries(question.filters).map(([dimension, values]) => `s.${columns[dimension as Dimension]} = any(${add(values)})`);
  if (question.statusClasses.length > 0) found.push(`left(s.status, 1) = any(${add(question.statusClasses)})`);
  return found.map((condition) => ` and ${condition}`).join("");
}

const epoch = "(extract(epoch from c.at) * 1000)::float8";

/** Marginals are few and are summed here; a cube's rows are summed where they lie. */
function selection(what: What, isCube: boolean, slots: number): { shown: string; extra: string; isSummed: boolean } {
  if (!isCube)
    return {
      shown: what === "counts" ? "c.counts::text as packed, c.wide::text as wide" : "c.latency::text as packed",
      extra: "",
      isSummed: false,
    };
  if (what === "latency")
    return {
      shown: "entry & 65535 as code, sum(entry >> 16)::bigint as calls",
      extra: " cross join unnest(c.latency) as entries (entry)",
      isSummed: true,
    };
  const sums = Array.from({ length: slots }, (_, index) => `sum(c.counts[${index + 1}] + coalesce(c.wide[${index + 1}], 0))::bigint`);
  return { shown: `array[${sums.join(",")}]::text as packed`, extra: "", isSummed: true };
}

function statementOf(question: Question, shape: number, { keep, from, to }: Segment, what: What) {
  const values: unknown[] = [question.tenantId, shape, new Date(keep.grain.rowStart(from)).toISOString(), new Date(to).toISOString()];
  const where = conditions(question, (value) => `$${values.push(value)}`);
  const named = dimensionsOf(question).map((dimension, index) => `s.${columns[dimension]} as d${index}`);
  const { shown, extra, isSummed } = selection(what, shape === cube, keep.grain.slots);
  const keys = named.map((_, index) => `d${index}`);
  const groupBy = isSummed ? ` group by c.at${named.map((name) => `, ${name.split(" ")[0]}`).join("")}` : "";
  const only = what === "latency" && !isSummed ? " and c.latency is not null" : "";
  const text = `select ${[`${epoch} as at`, ...named, shown].join(", ")} from ${keep.table} c
    join metric_series s on s.tenant_id = c.tenant_id and s.series_id = c.series_id${extra}
    where c.tenant_id = $1 and c.shape = $2 and c.at >= $3 and c.at < $4${only}${where}${groupBy}`;
  if (what === "counts" || !isSummed) return { text, values };
  const list = ["at", ...keys].join(", ");
  return {
    text: `select ${list}, array_agg(calls * 65536 + code)::text as packed from (${text}, entry & 65535) as f group by ${list}`,
    values,
  };
}

/** The packed rows of one segment of a plan. */
export async function readSegment(question: Question, { shape }: Plan, segment: Segment, what: What): Promise<PackedRow[]> {
  const { text, values } = statementOf(question, shape, segment, what);
  const name = `metrics-${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
  const { rows } = await db().$client.query<Record<string, string | number | null>>({ name, text, values });
  const keys = dimensionsOf(question).map((_, index) => `d${index}`);
  return rows.map((row) => ({
    at: Number(row.at),
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
