import { type Dimension, dimensions, keepLabels, type LabelValues } from "./call-labels";
import type { Group } from "./values";

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
