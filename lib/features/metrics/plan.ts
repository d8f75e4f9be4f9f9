import { ApiError } from "@/lib/protocol/errors";
import { dimensionOf, labelColumns, shapeFor } from "./call-labels";
import {
  type Grain,
  grains,
  minuteMs,
  type RetentionTier,
  retainedSince,
  retentionTiers,
  tiers,
} from "./grains";
import { bucketStarts, type Period } from "./periods";
import { type Dimension, type Group, isReadable, ladder, limits } from "./values";

/** A query about the calls of one tenant. Instants are milliseconds since the epoch. */
export interface CallsQuery {
  tenantId: string;
  /** Queries the sample traffic of a sandbox instead of its calls. */
  isSample?: boolean;
  from: number;
  to: number;
  /** The response has a series for each combination of these. */
  group: readonly Group[];
  /** A call counts when each of these dimensions has one of the values. */
  filters: Partial<Record<Dimension, readonly string[]>>;
  /** First digits of the status. */
  statusClasses: readonly string[];
  timeZone: string;
  /** Without one the planner takes the first of its ladder that gives a readable chart. */
  period: Period | undefined;
}

/** Part of the range that is read from one table. Milliseconds. */
export interface Segment {
  tier: RetentionTier;
  from: number;
  to: number;
}

export interface Plan {
  shape: number;
  /** The dimensions that `group` is derived from, and their columns in metric_series: `values` of a row has one for each, in this order. */
  dimensions: readonly Dimension[];
  columns: readonly string[];
  period: Period;
  /** Starts of the buckets. */
  times: number[];
  /** Where the last bucket ends. */
  end: number;
  /** The range that is counted: the requested range to the minute, or coarser where minutes are no longer retained. */
  from: number;
  to: number;
  segments: Segment[];
}

interface CountSeries {
  groups: Record<string, string>;
  values: number[];
  total: number;
}

export interface Counted {
  plan: Plan;
  series: CountSeries[];
}

const coarseFirst: readonly Grain[] = [grains.day, grains.quarter, grains.minute];

/** The source of the query's calls: the shape with the dimensions that it groups and filters by, and those of its groups. */
function sourceOf({ group, filters, statusClasses }: CallsQuery) {
  const dimensions = [...new Set(group.map(dimensionOf))];
  const filtered = Object.keys(filters) as Dimension[];
  const ofStatus: Dimension[] = statusClasses.length > 0 ? ["status"] : [];
  return {
    shape: shapeFor(new Set([...dimensions, ...filtered, ...ofStatus])),
    dimensions,
    columns: dimensions.map((dimension) => labelColumns[dimension]),
  };
}

/** How exact an edge of the range can be: by its age only, so that every grouping counts the same calls. */
function edgeSize(at: number, now: number): number {
  const isRetained = (tier: RetentionTier) => at >= retainedSince(tier, now);
  if (isRetained(tiers.minutes)) return minuteMs;
  return isRetained(tiers.cubeQuarters) ? grains.quarter.slotMs : grains.day.slotMs;
}

/** Covers a range by the coarsest slots that its inner boundaries allow, and by finer ones at its edges. */
function cover(
  from: number,
  to: number,
  inner: number[],
): { grain: Grain; from: number; to: number }[] {
  if (from >= to) return [];
  const usable = coarseFirst.filter((grain) => inner.every((at) => at % grain.slotMs === 0));
  for (const grain of usable) {
    const first = Math.ceil(from / grain.slotMs) * grain.slotMs;
    const last = Math.floor(to / grain.slotMs) * grain.slotMs;
    if (first >= last) continue;
    return [...cover(from, first, []), { grain, from: first, to: last }, ...cover(last, to, [])];
  }
  return [];
}

interface Range {
  from: number;
  to: number;
}

function planWith(
  period: Period,
  range: Range,
  source: ReturnType<typeof sourceOf>,
  now: number,
): Plan | "too-many" | "not-retained" {
  const starts = bucketStarts(range.from, range.to, period, limits.buckets);
  if (!starts) return "too-many";
  const times = starts.filter((at) => at < range.to && at <= now);
  const end = starts[times.length] ?? range.to;
  const [first = range.from] = times;
  const from = Math.max(
    first,
    Math.floor(range.from / edgeSize(range.from, now)) * edgeSize(range.from, now),
  );
  const size = edgeSize(range.to, now);
  const to = Math.min(end, Math.ceil(range.to / size) * size);
  const segments = cover(from, times.length > 0 ? to : from, times.slice(1)).map((part) => {
    const tier = retentionTiers.find((one) => one.grain === part.grain && one.holds(source.shape));
    return tier &&
      part.from >= Math.floor(retainedSince(tier, now) / tier.grain.slotMs) * tier.grain.slotMs
      ? { ...part, tier }
      : undefined;
  });
  if (segments.some((segment) => segment === undefined)) return "not-retained";
  return {
    ...source,
    period,
    times,
    end,
    from,
    to,
    segments: segments.flatMap((segment) => segment ?? []),
  };
}

const stepName = ({ unit, count }: Pick<Period, "unit" | "count">) =>
  count === 1 ? unit : `${count} ${unit}s`;

type Matches = (period: Period) => boolean;

/** The smallest period of the ladder that `matches`, as text and as a value; in UTC if none does in the zone. */
function smallest(timeZone: string, matches: Matches): { hint: string; reason: string } {
  const firstIn = (zone: string) =>
    ladder.map((step) => ({ ...step, timeZone: zone })).find(matches);
  const found = firstIn(timeZone);
  if (found)
    return {
      hint: `The smallest period that fits is ${stepName(found)}.`,
      reason: `?period,${found.unit}:${found.count}`,
    };
  const inUtc = firstIn("UTC");
  if (!inUtc) return { hint: "No period fits: ask for a shorter or later range.", reason: "?from" };
  const hint = `No period fits in ${timeZone}; in UTC the smallest that fits is ${stepName(inUtc)}.`;
  return { hint, reason: `?period[timeZone],${inUtc.unit}:${inUtc.count}` };
}

export function tooManyValues(detail: string, timeZone: string, matches: Matches): ApiError {
  const { hint, reason } = smallest(timeZone, matches);
  return new ApiError("metrics.too-many-values", `${detail} ${hint}`, reason);
}

function notRetained(timeZone: string, matches: Matches): ApiError {
  const { hint, reason } = smallest(timeZone, matches);
  return new ApiError(
    "metrics.range-exceeds-retention",
    `?from lies before the counts that this period or zone needs. ${hint}`,
    reason,
  );
}

/** The plan of a query with this period, or the reason why there is none. */
export function planPeriod(
  query: CallsQuery,
  period: Period,
  now: number,
): Plan | "too-many" | "not-retained" {
  const from = Math.floor(query.from / minuteMs) * minuteMs;
  // The future has no buckets, so that it does not affect which period is chosen.
  const to = Math.min(query.to, (Math.floor(now / minuteMs) + 1) * minuteMs);
  const range = { from, to: Math.max(from, Math.ceil(to / minuteMs) * minuteMs) };
  return planWith(period, range, sourceOf(query), now);
}

/**
 * Chooses the buckets and the source of their counts: the smallest shape that has every dimension of the query, and the coarsest
 * grain that divides its buckets. Throws 400 for more buckets than the limit and for a range that is no longer retained.
 */
export function plan(query: CallsQuery, now: number): Plan {
  const { timeZone } = query;
  const attempt = (period: Period) => planPeriod(query, period, now);
  const matches = (period: Period) => typeof attempt(period) === "object";
  if (query.period) {
    const planned = attempt(query.period);
    if (planned === "too-many")
      throw tooManyValues(`?period gives more than ${limits.buckets} buckets.`, timeZone, matches);
    if (planned === "not-retained") throw notRetained(timeZone, matches);
    return planned;
  }
  for (const step of ladder) {
    const planned = attempt({ ...step, timeZone });
    if (typeof planned === "object" && isReadable(planned.times.length)) return planned;
  }
  throw notRetained(timeZone, matches);
}
