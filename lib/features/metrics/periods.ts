import { perProcess } from "@/lib/protocol/per-process";
import { dayMs, hourMs, minuteMs } from "./grains";
import type { Unit } from "./values";

export interface Period {
  unit: Unit;
  count: number;
  timeZone: string;
}

type Step = Pick<Period, "unit" | "count">;

const isCount: Record<Unit, (count: number) => boolean> = {
  minute: (count) => 60 % count === 0,
  hour: (count) => 24 % count === 0,
  day: (count) => count === 1,
  week: (count) => count === 1,
  month: (count) => 12 % count === 0,
};

/** Whether buckets of this many units start at the same times in every hour, day or year. */
export const isStep = ({ unit, count }: Step) =>
  Number.isInteger(count) && count >= 1 && isCount[unit](count);

interface Calendar {
  /** The number of the bucket that includes a local time. */
  number: (local: number) => number;
  /** The local time at which the next bucket begins. */
  next: (local: number) => number;
}

function fixed(size: number, shift: number): Calendar {
  const number = (local: number) => Math.floor((local + shift) / size);
  return { number, next: (local) => (number(local) + 1) * size - shift };
}

function months(count: number): Calendar {
  const number = (local: number) => {
    const date = new Date(local);
    return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / count);
  };
  return { number, next: (local) => utcMonth((number(local) + 1) * count) };
}

const utcMonth = (index: number) => Date.UTC(Math.floor(index / 12), index % 12, 1);

/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const weekShift = 3 * dayMs;

function calendarOf({ unit, count }: Step): Calendar {
  if (unit === "month") return months(count);
  if (unit === "week") return fixed(7 * dayMs, weekShift);
  return fixed({ minute: minuteMs, hour: hourMs, day: dayMs }[unit] * count, 0);
}

/** The maximum length of a bucket of the step. */
function maxMs({ unit, count }: Step): number {
  const size = { minute: minuteMs, hour: hourMs, day: dayMs, week: 7 * dayMs, month: 31 * dayMs }[
    unit
  ];
  return size * count + 2 * hourMs;
}

/** A lower bound for the number of buckets in the range, computed without the calendar. */
const fewestBuckets = (from: number, to: number, period: Period) =>
  Math.floor((to - from) / maxMs(period));

/**
 * The starts of the buckets from the one that includes `from` to the first at or after `to`, in local time: days may have 23 or 25 hours,
 * and an hour that the clock repeats counts as two. Undefined when there are more than `most`.
 */
export function bucketStarts(
  from: number,
  to: number,
  period: Period,
  max: number,
): number[] | undefined {
  if (fewestBuckets(from, to, period) > max + 2) return undefined;
  const { number, next } = calendarOf(period);
  const early = from - maxMs(period);
  const repeats = period.unit === "minute" || (period.unit === "hour" && period.count === 1);
  const parts = stretches(period.timeZone, early, to + maxMs(period));
  const starts: number[] = [];
  let reached = Number.NEGATIVE_INFINITY;
  const begin = (at: number, bucket: number) => {
    reached = bucket;
    if (at <= from) starts.length = 0;
    starts.push(at);
  };
  for (const [index, part] of parts.entries()) {
    const end = parts[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const local = part.from + part.offset;
    const isRepeated = repeats && index > 0 && next(local - 1) === local;
    if (isRepeated || (index > 0 && number(local) > reached)) begin(part.from, number(local));
    else if (index === 0) reached = number(local);
    for (let at = next(local) - part.offset; at < end; at = next(at + part.offset) - part.offset) {
      if (number(at + part.offset) > reached) begin(at, number(at + part.offset));
      if ((starts.at(-1) ?? from) >= to) return starts.length - 1 > max ? undefined : starts;
    }
  }
  return starts;
}

/** From `from` to the next stretch the zone's local time is UTC plus the offset. Milliseconds. */
export interface Stretch {
  from: number;
  offset: number;
}

const formats = perProcess("time-zone-formats", () => new Map<string, Intl.DateTimeFormat>());

function format(timeZone: string): Intl.DateTimeFormat {
  const found =
    formats().get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset", hourCycle: "h23" });
  formats().set(timeZone, found);
  return found;
}

function offsetAt(timeZone: string, at: number): number {
  const written = format(timeZone)
    .formatToParts(at)
    .find((part) => part.type === "timeZoneName")?.value;
  const match = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(written ?? "");
  if (!match) throw new Error(`The offset of ${timeZone} cannot be read from ${written}.`);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = match;
  return (
    (sign === "-" ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  );
}

/** The first instant after `before` that has the offset of `after`. */
function changeBetween(timeZone: string, before: number, after: number): number {
  const old = offsetAt(timeZone, before);
  let [low, high] = [before, after];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(timeZone, middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

/** The zone's offsets from one instant to another, in order. */
export function stretches(timeZone: string, from: number, to: number): Stretch[] {
  const start = Math.floor(from / 1000) * 1000;
  const found: Stretch[] = [{ from: start, offset: offsetAt(timeZone, start) }];
  if (timeZone === "UTC") return found;
  for (let at = start; at < to; at += dayMs) {
    const next = at + dayMs;
    if (offsetAt(timeZone, at) === offsetAt(timeZone, next)) continue;
    const change = changeBetween(timeZone, at, next);
    found.push({ from: change, offset: offsetAt(timeZone, change) });
  }
  return found;
}
