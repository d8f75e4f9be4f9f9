import { msg, reader, t } from "@/components/texts/t";
import { isReadable, ladder } from "@/lib/features/metrics/values";

const minute = 60_000;
const units: Record<string, number> = {
  m: minute,
  min: minute,
  h: 60 * minute,
  d: 1440 * minute,
  w: 10_080 * minute,
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

const unitMs = { minute, hour: 60 * minute, day: 1440 * minute };

/** The length of each period that has a fixed one, the shortest first. */
const steps = ladder.flatMap(({ unit, count }) =>
  unit === "week" || unit === "month" ? [] : [count * unitMs[unit]],
);

/** The period that the server picks for the range, once the range begins where a bucket does. */
const gridOf = ({ from, to }: Range) =>
  steps.find((step) => isReadable(Math.ceil(to / step) - Math.floor(from / step))) ?? 1440 * minute;

/** Buckets so long begin at the same instants in every zone: all offsets are whole quarters of an hour. */
const zonelessMinutes = new Set([1, 5, 15]);

/** Whether the buckets that the address means are the same in every zone, so that another zone asks for no other numbers. */
export function isZoneless({
  range,
  from,
  to,
  period,
}: {
  range: string;
  from: string;
  to: string;
  period: string;
}): boolean {
  if (period !== "auto") return zonelessMinutes.has(Number(/^(\d+)-minute$/.exec(period)?.[1]));
  const fixed = { from: Date.parse(from), to: Date.parse(to) };
  const shown = fixed.from < fixed.to ? fixed : { from: 0, to: lengthOf(range) ?? 1440 * minute };
  return zonelessMinutes.has(gridOf(shown) / minute);
}

/** The instants that the address means now: from and to stay, a preset moves along and begins where a bucket does. */
export function rangeOf(
  { range, from, to }: { range: string; from: string; to: string },
  now: number,
): Range {
  const fixed = { from: Date.parse(from), to: Date.parse(to) };
  if (fixed.from < fixed.to) return fixed;
  const length = lengthOf(range) ?? 24 * 60 * minute;
  const end = Math.ceil(now / minute) * minute;
  const grid = gridOf({ from: end - length, to: end });
  return { from: Math.floor((end - length) / grid) * grid, to: end };
}

/** Whether the last bucket of a range that was asked for at `asOf` is not over yet. */
export const isUnfinished = (range: Range, asOf: number): boolean => range.to >= asOf - 60_000;

/** As long a range before this one, moved by whole buckets. */
export function rangeBefore(range: Range): Range {
  const { from, to } = range;
  const grid = gridOf(range);
  const shift = Math.ceil((to - from) / grid) * grid;
  return { from: from - shift, to: to - shift };
}

/** In the portal's languages, whichever is chosen: a range may be pasted from somebody else's message. */
const words: [RegExp, string][] = [
  [/^(?:(?:the\s+)?last|(?:die\s+)?letzten?)\s+/, ""],
  [/\s*(?:minutes?|mins?|minuten?)$/, "m"],
  [/\s*(?:hours?|hrs?|stunden?|std)$/, "h"],
  [/\s*(?:days?|tage?n?)$/, "d"],
  [/\s*(?:weeks?|wochen?)$/, "w"],
];

/** Reads "3h", "last 2 days", "45 minutes" or "letzte 3 Tage" as a moving range; undefined when it is none. */
export function readRelative(text: string): string | undefined {
  const short = words
    .reduce((rest, [pattern, by]) => rest.replace(pattern, by), text.trim().toLowerCase())
    .replace(/^([a-z])$/, "1$1");
  return lengthOf(short) === undefined ? undefined : short.replaceAll(" ", "").replace("min", "m");
}

/** What the range is called on its button. */
export function rangeName(
  { range, from, to }: { range: string; from: string; to: string },
  zone: string,
): string {
  const preset = presets.find(({ value }) => value === range);
  if (from && to) {
    const format = new Intl.DateTimeFormat(reader().dates, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: zone,
    });
    return t("{from} to {to}", {
      from: format.format(new Date(from)),
      to: format.format(new Date(to)),
    });
  }
  return preset ? t(preset.label) : t("Last {range}", { range });
}
