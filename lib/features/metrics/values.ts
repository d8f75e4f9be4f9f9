/** What the browser and the server share of metrics. Imports nothing. */

/** What a call is counted by, in the order in which it is stored: call-labels.ts says what a new one needs. */
export const dimensions = [
  "domain",
  "site",
  "endpoint",
  "method",
  "status",
  "apiKey",
  "user",
  "credentialKind",
] as const;
export type Dimension = (typeof dimensions)[number];

/** What can be grouped by: statusClass is read off the status. */
export type Group = Dimension | "statusClass";
export const groups: readonly Group[] = dimensions.flatMap((dimension) =>
  dimension === "status" ? [dimension, "statusClass" as const] : [dimension],
);

/** What can be filtered by. */
export const filters = ["domain", "site", "endpoint", "status", "statusClass", "apiKey"] as const;
export type Filter = (typeof filters)[number];
export const maxGroups = 3;

export const units = ["minute", "hour", "day", "week", "month"] as const;
export type Unit = (typeof units)[number];

/** Without a period in the query, the first of these is used whose buckets `isReadable` accepts. */
export const ladder = [
  { unit: "minute", count: 1 },
  { unit: "minute", count: 5 },
  { unit: "minute", count: 10 },
  { unit: "minute", count: 15 },
  { unit: "minute", count: 30 },
  { unit: "hour", count: 1 },
  { unit: "hour", count: 3 },
  { unit: "hour", count: 6 },
  { unit: "hour", count: 12 },
  { unit: "day", count: 1 },
  { unit: "week", count: 1 },
  { unit: "month", count: 1 },
] as const satisfies readonly { unit: Unit; count: number }[];

export const maxReadableBuckets = 300;

/** Whether a chart of this many buckets can be read: the rule by which a period is picked. */
export const isReadable = (buckets: number): boolean => buckets <= maxReadableBuckets;

/** What one question may ask for, and one batch may report. An answer never leaves out more than it says. */
export const limits = {
  buckets: 1500,
  series: 100,
  cells: 100_000,
  autoBuckets: maxReadableBuckets,
  groups: maxGroups,
  batchCells: 1000,
} as const;
