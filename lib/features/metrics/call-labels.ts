import { metricSeries } from "@/lib/database/schema/metrics";
import { type Dimension, dimensions, type Group } from "./values";

/**
 * The labels that calls are counted by and their storage format. Only this file knows the order of the values.
 *
 *   CallLabels        { domain: "pim", site: "one", endpoint: "GET /pim/preview/{key}", ... }
 *   encodeLabels()    ["pim", "one", "GET /pim/preview/{key}", "GET", "200", "key_1", "user_1", "apiKey"]
 *   labelColumns      domain | site | endpoint | method | status | api_key | user_id | credential_kind
 *
 * Cells, spool files, hashes of series and the columns of metric_series hold the values in this order; "" means no value.
 * A new label goes to the end of `dimensions` (values.ts); then: its column (lib/database/schema/metrics.ts and a migration), the
 * recorder, which knows its value, and its name on the page (components/metrics/toolbar.tsx). To filter by it, also change: `filterKinds`
 * and `listedValues` in values.ts, and the title of its menu (components/metrics/filter-menus.tsx).
 */
type CallLabels = Record<Dimension, string>;

/** The labels' values in the order of the columns. */
export type LabelValues = readonly string[];

export const labelColumns = Object.fromEntries(
  dimensions.map((dimension) => [dimension, metricSeries[dimension].name]),
) as Record<Dimension, string>;
export const labelColumnNames: readonly string[] = Object.values(labelColumns);

const positions = Object.fromEntries(
  dimensions.map((dimension, position) => [dimension, position]),
) as Record<Dimension, number>;

/** Labels that are not named have no value. */
export const encodeLabels = (labels: Partial<CallLabels>): string[] =>
  dimensions.map((dimension) => labels[dimension] ?? "");

export const labelOf = (values: LabelValues, dimension: Dimension): string =>
  values[positions[dimension]] ?? "";

export const withLabel = (values: LabelValues, dimension: Dimension, value: string): LabelValues =>
  values.with(positions[dimension], value);

/** The values, with those of all dimensions that are not kept replaced. */
export function keepLabels(
  values: LabelValues,
  kept: readonly Dimension[],
  replacement: string,
): string[] {
  const keptPositions = kept.map((dimension) => positions[dimension]);
  return values.map((value, position) => (keptPositions.includes(position) ? value : replacement));
}

/** The same text for the same values. */
export const labelKey = (values: LabelValues): string => values.join("\n");

/** A filter that no call matches: labels contain no line breaks. */
export const noLabel = "\n";

/** Placeholders for what exceeds a limit, so that totals stay exact: series of a response, and values of a flush. */
export const other = "__other__";
export const overflow = "__overflow__";

/** The calls of one minute with the same values. */
export interface Cell {
  /** Milliseconds since the epoch, at the start of a minute. */
  at: number;
  values: LabelValues;
  count: number;
  /** Pairs of a latency bucket and its calls. */
  latency?: readonly (readonly [bucket: number, calls: number])[];
}

/**
 * A shape is the subset of the values that a series keeps: all (the cube), only the domain (the total), or the domain and one more.
 * The size of the marginals grows with the sum of the dimensions, the cube's with their product.
 */
export const cube = 0;
export const total = 1;
const marginalDimensions = dimensions.filter((dimension) => dimension !== "domain");

/** The dimensions that a shape keeps. */
const kept: readonly (readonly Dimension[])[] = [
  dimensions,
  ["domain"],
  ...marginalDimensions.map((dimension) => ["domain", dimension] as const),
];

export const shapes = kept.map((_, shape) => shape);

/** Offset of the shapes of sample traffic, which is stored next to real calls: queries for real calls never read those shapes. */
export const sampleShapes = 100;

/** The stored number of a shape. */
export const storedShape = (shape: number, { isSample = false }: { isSample?: boolean }): number =>
  isSample ? sampleShapes + shape : shape;

export const keptDimensions = (shape: number): readonly Dimension[] => kept[shape] ?? [];

/** The values of a combination, reduced to those that a shape keeps. */
export const valuesIn = (shape: number, values: LabelValues): string[] =>
  keepLabels(values, keptDimensions(shape), "");

/** The smallest shape that has all of these dimensions. */
export function shapeFor(needed: ReadonlySet<Dimension>): number {
  const others = [...needed].filter((dimension) => dimension !== "domain");
  if (others.length === 0) return total;
  const [only] = others;
  return others.length === 1 && only
    ? kept.findIndex((has, shape) => shape > total && has.includes(only))
    : cube;
}

export const dimensionOf = (group: Group): Dimension =>
  group === "statusClass" ? "status" : group;

export const statusClass = (status: string) => (/^[1-5]\d\d$/.test(status) ? `${status[0]}xx` : "");

/** The first business segment of a path: `/v1/customers/x` belongs to customer, `/pim/preview` to pim. */
export function domainOf(path: string): string {
  const segments = path.split("/").filter(Boolean);
  const first = (segments[0] === "v1" ? segments[1] : segments[0]) ?? "";
  return { customers: "customer", signup: "tenant", tenants: "tenant" }[first] ?? first;
}

/** The name of a shape in an explanation. */
export const shapeName = (shape: number) =>
  shape === cube ? "cube" : (kept[shape] ?? []).join(" x ");

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Eight buckets per doubling, from 1/16 ms to 65 s: the error of a quantile is at most 6 %. */
const lowest = 123 * 8;
export const bucketCount = 160;

/** The bucket of a duration in milliseconds: the exponent and three bits of a float are the logarithm. */
export function bucketOf(ms: number): number {
  float[0] = ms;
  const bucket = ((bits[0] ?? 0) >>> 20) - lowest;
  return bucket < 0 ? 0 : bucket < bucketCount ? bucket : bucketCount - 1;
}

/** Milliseconds in the middle of a bucket. */
export function middleOf(bucket: number): number {
  const octave = 2 ** (Math.floor(bucket / 8) - 4);
  return Number((octave * (1 + ((bucket % 8) + 0.5) / 8)).toPrecision(3));
}

export const sumOf = (values: ArrayLike<number>) => {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0;
  return sum;
};

/** Written out: `Array.from` takes fifteen times as long for a typed array. */
export function toArray(values: Float64Array): number[] {
  const copied = new Array<number>(values.length);
  for (let index = 0; index < values.length; index += 1) copied[index] = values[index] ?? 0;
  return copied;
}

/** The duration that the share `quantile` (0..1) of the calls does not exceed; null without calls. */
export function quantileOf(calls: ArrayLike<number>, quantile: number): number | null {
  const sum = sumOf(calls);
  if (sum === 0) return null;
  const rank = Math.max(1, Math.ceil(quantile * sum));
  let seen = 0;
  for (let bucket = 0; bucket < calls.length; bucket += 1) {
    seen += calls[bucket] ?? 0;
    if (seen >= rank) return middleOf(bucket);
  }
  return null;
}

/**
 * How latencies are packed into the column `latency`, a bigint[] with one entry for each slot and bucket that has calls:
 *
 *    63               16 15        8 7         0
 *   +-------------------+-----------+-----------+
 *   |       calls       |   slot    |  bucket   |     entry = calls * 65536 + slot * 256 + bucket
 *   +-------------------+-----------+-----------+
 *                        \_______ place _______/
 *
 * A slot is the minute of the hour, the quarter of the day or the day of the month (0 to 95); a bucket is a duration (0
 * to 159, see `bucketOf`). 12 calls of 1 ms (bucket 32) in minute 5 of the hour: 12 * 65536 + 5 * 256 + 32 = 787744.
 * The function metric_fold of the database adds two such arrays by place. TypeScript multiplies where SQL shifts: a
 * number has 53 bits, the shift operators of JavaScript have 32.
 */
const callsUnit = 65_536;
const slotUnit = 256;

/** Slot and bucket as one number. */
export const encodePlace = (slot: number, bucket: number): number => slot * slotUnit + bucket;
export const slotOf = (place: number): number => place >> 8;
export const bucketIn = (place: number): number => place & 255;

export const encodeEntry = (place: number, calls: number): number => calls * callsUnit + place;
export const placeOf = (entry: number): number => entry % callsUnit;
export const callsOf = (entry: number): number => Math.floor(entry / callsUnit);

/** The same as SQL expressions. */
export const sqlPlace = (slot: string, bucket: string) => `${slot} * ${slotUnit} + ${bucket}`;
export const sqlEntry = (calls: string, place: string) => `${calls} * ${callsUnit} + ${place}`;
export const sqlPlaceOf = (entry: string) => `${entry} & ${callsUnit - 1}`;
export const sqlCallsOf = (entry: string) => `${entry} >> 16`;
