import { ApiError } from "@/lib/protocol/errors";
import { type Dimension, dimensionOf, shapeFor } from "./dimensions";
import { type Grain, grains, type Keep, keeps, keptSince, minuteMs } from "./grains";
import { limits } from "./limits";
import type { Question } from "./metrics-query";
import { bucketStarts, ladder, type Period } from "./periods";

/** Part of the range that is read from one table. Milliseconds. */
export interface Segment {
  keep: Keep;
  from: number;
  to: number;
}

export interface Plan {
  shape: number;
  period: Period;
  /** Starts of the buckets. */
  times: number[];
  /** Where the last bucket ends. */
  end: number;
  /** What is counted: the range asked for, to the minute, or coarser where minutes are no longer kept. */
  from: number;
  to: number;
  segments: Segment[];
}

const coarseFirst: readonly Grain[] = [grains.day, grains.quarter, grains.minute];
const cubeQuarters = keeps[2];

/** The dimensions that the question touches. */
function needed({ groups, filters, statusClasses }: Question): Set<Dimension> {
  const named = [...groups.map(dimensionOf), ...(Object.keys(filters) as Dimension[])];
  return new Set(statusClasses.length > 0 ? [...named, "status"] : named);
}

/** How exact an edge of the range can be: by its age alone, so that every grouping counts the same calls. */
function edgeSize(at: number, now: number): number {
  const isKept = (keep: Keep | undefined) => keep !== undefined && at >= keptSince(keep, now);
  if (isKept(keeps[0])) return minuteMs;
  return isKept(cubeQuarters) ? grains.quarter.slotMs : grains.day.slotMs;
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
  shape: number,
  now: number,
): Plan | "too-many" | "not-kept" {
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
    const keep = keeps.find((one) => one.grain === part.grain && one.holds(shape));
    return keep &&
      part.from >= Math.floor(keptSince(keep, now) / keep.grain.slotMs) * keep.grain.slotMs
      ? { ...part, keep }
      : undefined;
  });
  if (segments.some((segment) => segment === undefined)) return "not-kept";
  return {
    shape,
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

/** The smallest period of the ladder for which `fits`, in words and for programs; in UTC where none fits in the zone. */
function smallest(
  timeZone: string,
  fits: (period: Period) => boolean,
): { told: string; reason: string } {
  const firstIn = (zone: string) => ladder.map((step) => ({ ...step, timeZone: zone })).find(fits);
  const found = firstIn(timeZone);
  if (found)
    return {
      told: `The smallest period that fits is ${stepName(found)}.`,
      reason: `?period,${found.unit}:${found.count}`,
    };
  const inUtc = firstIn("UTC");
  if (!inUtc) return { told: "No period fits: ask for a shorter or later range.", reason: "?from" };
  const told = `No period fits in ${timeZone}; in UTC the smallest that fits is ${stepName(inUtc)}.`;
  return { told, reason: `?period[timeZone],${inUtc.unit}:${inUtc.count}` };
}

export function tooMany(
  detail: string,
  timeZone: string,
  fits: (period: Period) => boolean,
): ApiError {
  const { told, reason } = smallest(timeZone, fits);
  return new ApiError("metrics.too-many-values", `${detail} ${told}`, reason);
}

function notKept(timeZone: string, fits: (period: Period) => boolean): ApiError {
  const { told, reason } = smallest(timeZone, fits);
  return new ApiError(
    "metrics.range-exceeds-retention",
    `?from lies before the counts that this period or zone needs. ${told}`,
    reason,
  );
}

/**
 * Decides the buckets and where their counts are read: the smallest shape that knows every dimension of the question, and the coarsest
 * grain that divides its buckets. Throws 400 for more buckets than the limit and for a range that is no longer kept.
 */
export function plan(question: Question, now: number): Plan {
  const { timeZone } = question;
  const range = {
    from: Math.floor(question.from / minuteMs) * minuteMs,
    to: Math.ceil(question.to / minuteMs) * minuteMs,
  };
  const shape = shapeFor(needed(question));
  const attempt = (period: Period) => planWith(period, range, shape, now);
  const fits = (period: Period) => typeof attempt(period) === "object";
  if (question.period) {
    const planned = attempt(question.period);
    if (planned === "too-many")
      throw tooMany(`?period gives more than ${limits.buckets} buckets.`, timeZone, fits);
    if (planned === "not-kept") throw notKept(timeZone, fits);
    return planned;
  }
  for (const step of ladder) {
    const planned = attempt({ ...step, timeZone });
    if (typeof planned === "object" && planned.times.length <= limits.autoBuckets) return planned;
  }
  throw notKept(timeZone, fits);
}
