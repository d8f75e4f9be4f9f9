import { metricSeries } from "@/lib/database/schema/metrics";
import { type Dimension, dimensions, type Group } from "./values";

/**
 * What a call is counted by, and how it is stored: the only place that knows the order of the values.
 *
 *   CallLabels        { domain: "pim", site: "one", endpoint: "GET /pim/preview/{key}", ... }
 *   encodeLabels()    ["pim", "one", "GET /pim/preview/{key}", "GET", "200", "key_1", "user_1", "apiKey"]
 *   labelColumns      domain | site | endpoint | method | status | api_key | user_id | credential_kind
 *
 * Cells, spool files, hashes of series and the columns of metric_series hold the values in this order; "" is no value.
 * A new label goes to the end of `dimensions` (values.ts); then: its column (lib/database/schema/metrics.ts and a migration), the
 * recorder, which knows its value, and its name on the page (components/metrics/toolbar.tsx). To filter by it besides: `filters`,
 * its schema in parameters.ts, and the values to choose from (contract.ts, metadata.ts, components/metrics/filter-menus.tsx).
 */
export type CallLabels = Record<Dimension, string>;

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

/** The values with those of all other dimensions replaced. */
export function keepLabels(
  values: LabelValues,
  kept: readonly Dimension[],
  replacement: string,
): string[] {
  const keptPositions = kept.map((dimension) => positions[dimension]);
  return values.map((value, position) => (keptPositions.includes(position) ? value : replacement));
}

/** One text for the same values. */
export const labelKey = (values: LabelValues): string => values.join("\n");

/** A filter that no call matches: no label holds a line break. */
export const noLabel = "\n";

/** What is beyond a limit, with totals kept: series of an answer, and values of a flush. */
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
 * A shape is what a series keeps of the values: everything (the cube), only the domain (the total), or one more value.
 * The marginals' size is the sum of the dimensions, the cube's their product.
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

export const keptDimensions = (shape: number): readonly Dimension[] => kept[shape] ?? [];

/** A combination's values as a shape keeps them. */
export const valuesIn = (shape: number, values: LabelValues): string[] =>
  keepLabels(values, keptDimensions(shape), "");

/** The smallest shape that knows all of these dimensions. */
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

/** How a shape is called in an explanation. */
export const shapeName = (shape: number) =>
  shape === cube ? "cube" : (kept[shape] ?? []).join(" x ");
