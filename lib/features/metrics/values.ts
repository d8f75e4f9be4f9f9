/** Where no period is asked for, the smallest step of the ladder that gives at most this many buckets is taken. */
export const maxAutoBuckets = 300;

/** The steps that are tried, smallest first. */
export const periodLadder = [
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
] as const;

/** What calls can be grouped by. */
export const groups = [GROUPS] as const;

/** How many groups a query can name. */
export const maxGroups = 3;
