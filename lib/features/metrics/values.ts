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

/** What can be filtered by, and what its values are: `parameters.ts` has a schema for each kind. A path may hold commas. */
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

/** One status is not asked for on the page, only its class. */
export type PageFilter = Exclude<Filter, "status">;
export const pageFilters = filters.filter((one): one is PageFilter => one !== "status");

/** By which name the metadata lists the values that a dimension has had. Keys are listed with their names besides. */
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

/** Characters of what a marker says. */
export const maxMarkerTitle = 200;

/** The kind of what a person remarks on the charts. What notes say is in no audit entry, and they go with their author. */
export const noteKind = "note";
