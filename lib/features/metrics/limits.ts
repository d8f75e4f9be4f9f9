import { maxGroups, maxReadableBuckets } from "./values";

/** What one question may ask for, and one batch may report. An answer never leaves out more than it says. */
export const limits = {
  buckets: 1500,
  series: 100,
  cells: 100_000,
  autoBuckets: maxReadableBuckets,
  groups: maxGroups,
  batchCells: 1000,
} as const;
