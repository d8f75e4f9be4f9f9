import { cube } from "./call-labels";

export const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export type GrainName = "minute" | "quarter" | "day";

/** A grain is a table of rows that each hold `slots` counts, one for each `slotMs`. */
export interface Grain {
  name: GrainName;
  slotMs: number;
  slots: number;
  /** The start of the row that includes this instant. */
  rowStart: (at: number) => number;
}

const floorTo = (size: number) => (at: number) => Math.floor(at / size) * size;

export function monthStart(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export const grains: Record<GrainName, Grain> = {
  minute: { name: "minute", slotMs: minuteMs, slots: 60, rowStart: floorTo(hourMs) },
  quarter: { name: "quarter", slotMs: quarterMs, slots: 96, rowStart: floorTo(dayMs) },
  day: { name: "day", slotMs: dayMs, slots: 31, rowStart: monthStart },
};

/** A table, its grain, its retention in days, the width of its partitions and the shapes it stores. */
export interface RetentionTier {
  table: "metric_minutes" | "metric_quarters" | "metric_quarters_cube" | "metric_days";
  grain: Grain;
  days: number;
  partition: "day" | "month" | "year";
  holds: (shape: number) => boolean;
}

const all = () => true;

export const tiers = {
  minutes: {
    table: "metric_minutes",
    grain: grains.minute,
    days: 8,
    partition: "day",
    holds: all,
  },
  quarters: {
    table: "metric_quarters",
    grain: grains.quarter,
    days: 400,
    partition: "month",
    holds: (shape) => shape !== cube,
  },
  cubeQuarters: {
    table: "metric_quarters_cube",
    grain: grains.quarter,
    days: 100,
    partition: "month",
    holds: (shape) => shape === cube,
  },
  days: { table: "metric_days", grain: grains.day, days: 1096, partition: "year", holds: all },
} as const satisfies Record<string, RetentionTier>;

export const retentionTiers: readonly RetentionTier[] = Object.values(tiers);

/** The start of the partition that includes this instant, and of the next one. */
export function partitionOf(
  { partition }: Pick<RetentionTier, "partition">,
  at: number,
): { from: number; to: number } {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (partition === "year") return { from: Date.UTC(year, 0, 1), to: Date.UTC(year + 1, 0, 1) };
  if (partition === "month")
    return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) };
  const from = Math.floor(at / dayMs) * dayMs;
  return { from, to: from + dayMs };
}

/** The oldest instant that queries may ask for. */
export const retainedSince = ({ days }: Pick<RetentionTier, "days">, now: number) =>
  now - days * dayMs;

/** The oldest instant that is written: whole partitions, so that the retained range is always complete. */
export const writtenSince = (tier: RetentionTier, now: number) =>
  partitionOf(tier, retainedSince(tier, now)).from;
