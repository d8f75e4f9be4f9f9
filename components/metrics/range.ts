import { msg, reader, t } from "@/components/texts/t";
import { isReadable, ladder } from "@/lib/features/metrics/values";
import { earlier, instantAt, wallOf } from "./wall-time";

type Step = Pick<(typeof ladder)[number], "unit" | "count">;

const minute = 60_000;
const day = 1440 * minute;
const units: Record<string, number> = {
  m: minute,
  min: minute,
  h: 60 * minute,
  d: day,
  w: 7 * day,
};

export const presets = [
  { value: "1h", label: msg("Last hour") },
  { value: "6h", label: msg("Last 6 h") },
  { value: "24h", label: msg("Last 24 h") },
  { value: "7d", label: msg("Last 7 days") },
  { value: "30d", label: msg("Last 30 days") },
  { value: "90d", label: msg("Last 90 days") },
] as const;

/** Milliseconds since the epoch. */
export interface Range {
  from: number;
  to: number;
}

function lengthOf(text: string): number | undefined {
  const match = /^(\d{1,4})\s*(m|min|h|d|w)$/.exec(text);
  const size = Number(match?.[1] ?? 0) * (units[match?.[2] ?? ""] ?? 0);
  return size > 0 ? size : undefined;
}

/** The length of a bucket; the usual length for months. */
const unitMs = { minute, hour: 60 * minute, day, week: 7 * day, month: 30 * day };
const stepMs = ({ unit, count }: Step) => count * unitMs[unit];

/** From this many days on a bucket is a day: by hours, days and nights would turn every line into a saw tooth. */
const dailyFrom = 30 * day;

/** The state that determines a range and its buckets. */
export interface Asked {
  range: string;
  from: string;
  to: string;
  period: string;
  zone: string;
}

/** From and to when both are given: a fixed range. */
function fixedOf({ from, to }: Pick<Asked, "from" | "to">): Range | undefined {
  const fixed = { from: Date.parse(from), to: Date.parse(to) };
  return fixed.from < fixed.to ? fixed : undefined;
}

const presetLength = ({ range }: Pick<Asked, "range">) => lengthOf(range) ?? day;

/** The default bucket of a chart of this range. */
function readableStep(length: number): Step {
  const isFit = (step: Step) =>
    (length < dailyFrom || stepMs(step) >= day) && isReadable(Math.ceil(length / stepMs(step)));
  return ladder.find(isFit) ?? { unit: "month", count: 1 };
}

/** The chosen bucket, or the default of the range. */
function stepOf(asked: Asked): Step {
  const chosen = ladder.find(({ unit, count }) => asked.period === `${count}-${unit}`);
  const fixed = fixedOf(asked);
  return chosen ?? readableStep(fixed ? fixed.to - fixed.from : presetLength(asked));
}

/** The period to request. Undefined leaves it to the service: it knows the retention of old counts. */
export function periodOf(asked: Asked): Step | undefined {
  const step = stepOf(asked);
  return asked.period === "auto" && fixedOf(asked) && stepMs(step) < day ? undefined : step;
}

/** Buckets of these lengths start at the same instants in every zone: all offsets are multiples of 15 minutes. */
const zonelessMinutes = new Set([1, 5, 15]);

/** Whether the buckets of the state are the same in every zone, so that another zone needs no new request. */
export const isZoneless = (asked: Asked): boolean =>
  zonelessMinutes.has(stepMs(stepOf(asked)) / minute);

/** Monday, 5 January 1970. */
const monday = 4 * day;

/** The local start of a bucket: the one that contains the instant, or the first one after it. */
function bucketAt(at: number, step: Step, zone: string, round: (places: number) => number): number {
  const [size, wall] = [stepMs(step), wallOf(at, zone)];
  if (step.unit === "month") {
    const date = new Date(wall);
    return instantAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()), zone);
  }
  const places = (wall - (step.unit === "week" ? monday : 0)) / size;
  if (Number.isInteger(places)) return at;
  return instantAt(wall + (round(places) - places) * size, zone);
}

/** The end of the current minute. */
const endOf = (now: number) => Math.ceil(now / minute) * minute;

/**
 * The current instants of the state. From and to are fixed, at most now. A preset is relative to now: it
 * starts and ends at bucket borders, so that it is never longer than its name.
 */
export function rangeOf(asked: Asked, now: number): Range {
  const end = endOf(now);
  const fixed = fixedOf(asked);
  if (fixed) return fixed.from < end ? { from: fixed.from, to: Math.min(fixed.to, end) } : fixed;
  const [length, step] = [presetLength(asked), stepOf(asked)];
  const { zone } = asked;
  const start = /[dw]$/.test(asked.range) ? earlier(end, length, zone) : end - length;
  const isWhole = stepMs(step) <= day && length % stepMs(step) === 0;
  return { from: bucketAt(start, step, zone, isWhole ? Math.ceil : Math.floor), to: end };
}

/** Whether the last bucket of a range requested at `asOf` is incomplete. */
export const isUnfinished = (range: Range, asOf: number): boolean => range.to >= asOf - 60_000;

/** The distance to the previous period, and whether it is in local time, so that a Monday is compared with a Monday. */
function shiftOf(asked: Asked, range: Range): { ms: number; isByClock: boolean } {
  const size = stepMs(stepOf(asked));
  const { from, to } = fixedOf(asked) ?? range;
  const named = fixedOf(asked) ? to - from : presetLength(asked);
  if (named % day === 0 && named % size === 0) return { ms: named, isByClock: true };
  const span = wallOf(to, asked.zone) - wallOf(from, asked.zone);
  const isByClock = span >= day || size > unitMs.hour;
  return { ms: Math.ceil((isByClock ? span : to - from) / size) * size, isByClock };
}

/** Moves an instant of the range to the same place in the previous period. */
export function toPrevious(asked: Asked, range: Range): (at: number) => number {
  const { ms, isByClock } = shiftOf(asked, range);
  return (at) => (isByClock ? earlier(at, ms, asked.zone) : at - ms);
}

/** The start of the previous bucket to compare one with; undefined when the clocks skipped that hour. */
export function toPreviousBucket(asked: Asked, range: Range): (at: number) => number | undefined {
  const { ms, isByClock } = shiftOf(asked, range);
  const move = toPrevious(asked, range);
  if (!isByClock || stepMs(stepOf(asked)) > unitMs.hour) return move;
  const { zone } = asked;
  return (at) => (wallOf(move(at), zone) === wallOf(at, zone) - ms ? move(at) : undefined);
}

/** The previous period, up to the same part of it. */
export function rangeBefore(asked: Asked, range: Range): Range {
  const move = toPrevious(asked, range);
  return { from: move(range.from), to: move(range.to) };
}

/** In all of the portal's languages: a range may be pasted from another user's message. */
const words: [RegExp, string][] = [
  [/^(?:(?:the\s+)?last|(?:die\s+)?letzten?)\s+/, ""],
  [/\s*(?:minutes?|mins?|minuten?)$/, "m"],
  [/\s*(?:hours?|hrs?|stunden?|std)$/, "h"],
  [/\s*(?:days?|tage?n?)$/, "d"],
  [/\s*(?:weeks?|wochen?)$/, "w"],
];

/** Reads "3h", "last 2 days", "45 minutes" or "letzte 3 Tage" as a moving range; undefined when it is not one. */
export function readRelative(text: string): string | undefined {
  const short = words
    .reduce((rest, [pattern, by]) => rest.replace(pattern, by), text.trim().toLowerCase())
    .replace(/^([a-z])$/, "1$1");
  return lengthOf(short) === undefined ? undefined : short.replaceAll(" ", "").replace("min", "m");
}

/** The label of the range on its button. */
export function rangeName(
  { range, from, to }: { range: string; from: string; to: string },
  zone: string,
): string {
  const fixed = fixedOf({ from, to });
  const known = lengthOf(range) === undefined ? "24h" : range;
  const preset = presets.find(({ value }) => value === known);
  if (fixed) {
    const format = new Intl.DateTimeFormat(reader().dates, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: zone,
    });
    return t("{from} to {to}", {
      from: format.format(fixed.from),
      to: format.format(fixed.to),
    });
  }
  return preset ? t(preset.label) : t("Last {range}", { range: known });
}
