/** The definitions of metrics that browser and server share. Imports nothing. */

/** The dimensions that calls are counted by, in storage order: call-labels.ts describes how to add one. */
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

/** The dimensions to group by: statusClass is derived from the status. */
export type Group = Dimension | "statusClass";
export const groups: readonly Group[] = dimensions.flatMap((dimension) =>
  dimension === "status" ? [dimension, "statusClass" as const] : [dimension],
);

/** The dimensions to filter by, and the kind of their values: `parameters.ts` has a schema for each kind. A path may contain commas. */
export const filterKinds = {
  domain: "name",
  site: "text",
  endpoint: "path",
  status: "status",
  statusClass: "statusClass",
  apiKey: "text",
} as const satisfies Partial<Record<Group, string>>;
export type Filter = keyof typeof filterKinds;
export type FilterKind = (typeof filterKinds)[Filter];
export const filters = Object.keys(filterKinds) as Filter[];

/** The page filters by the class of a status, not by one status. */
export type PageFilter = Exclude<Filter, "status">;
export const pageFilters = filters.filter((one): one is PageFilter => one !== "status");

/** The metadata property that lists the values that a dimension has had. Keys are listed with their names. */
export const listedValues = {
  domain: "domains",
  site: "sites",
  endpoint: "endpoints",
  status: "statuses",
} as const satisfies Partial<Record<Dimension, string>>;
export type Listed = keyof typeof listedValues;
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

/** Whether a chart with this many buckets is readable: the rule for choosing a period. */
export const isReadable = (buckets: number): boolean => buckets <= maxReadableBuckets;

/** Limits of one query and of one batch. A response always reports what it omits. */
export const limits = {
  buckets: 1500,
  series: 100,
  cells: 100_000,
  autoBuckets: maxReadableBuckets,
  groups: maxGroups,
  batchCells: 1000,
} as const;

/** Maximum characters of a marker's title. */
export const maxMarkerTitle = 200;

/** The kind of a user's note on the charts. The text of notes is not in the audit trail, and they are deleted with their author. */
export const noteKind = "note";
