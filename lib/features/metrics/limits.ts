/** What one question may ask for; the answer never leaves out more than it says. */
export const limits = {
  buckets: 1500,
  series: 100,
  cells: 100_000,
  autoBuckets: 300,
  groups: 3,
} as const;
