/**
 * What a call is counted by, and how it is stored: the only place that knows the order of the values.
 *
 *   CallLabels        { domain: "pim", site: "one", endpoint: "GET /pim/preview/{key}", ... }
 *   encodeLabels()    ["pim", "one", "GET /pim/preview/{key}", "GET", "200", "key_1", "user_1", "apiKey"]
 *   labelColumns      domain | site | endpoint | method | status | api_key | user_id | credential_kind
 *
 * Cells, spool files, hashes of series and the columns of metric_series hold the values in this order; "" is no value.
 * A new label goes to the end of this list; then: its column (lib/database/schema/metrics.ts and a migration), the
 * recorder, which knows its value, and `groups` and the parameters of queries where it can be asked for.
 */
export const labelColumns = {
  domain: "domain",
  site: "site",
  endpoint: "endpoint",
  method: "method",
  status: "status",
  apiKey: "api_key",
  user: "user_id",
  credentialKind: "credential_kind",
} as const;

export type Dimension = keyof typeof labelColumns;
export type CallLabels = Record<Dimension, string>;

/** The labels' values in the order of the columns. */
export type LabelValues = readonly string[];

export const dimensions = Object.keys(labelColumns) as Dimension[];
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
