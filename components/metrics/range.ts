const minute = 60_000;
const units: Record<string, number> = { m: minute, min: minute, h: 60 * minute, d: 1440 * minute, w: 10_080 * minute };

export const presets = [
  { value: "1h", label: "Last hour" },
  { value: "6h", label: "Last 6 h" },
  { value: "24h", label: "Last 24 h" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "90d", label: "Last 90 days" },
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

/** Longer ranges begin where the coarser counts begin, so that none is half inside. */
const gridOf = (length: number) => (length > 48 * 60 * minute ? 60 * minute : minute);

/** The instants that the address means now: a preset moves along, from and to stay. */
export function rangeOf({ range, from, to }: { range: string; from: string; to: string }, now: number): Range {
  const fixed = { from: Date.parse(from), to: Date.parse(to) };
  if (fixed.from < fixed.to) return fixed;
  const length = lengthOf(range) ?? 24 * 60 * minute;
  const end = Math.ceil(now / minute) * minute;
  const grid = gridOf(length);
  return { from: Math.floor((end - length) / grid) * grid, to: end };
}

const words: [RegExp, string][] = [
  [/^(?:the\s+)?last\s+/, ""],
  [/\s*(?:minutes?|mins?)$/, "m"],
  [/\s*(?:hours?|hrs?)$/, "h"],
  [/\s*days?$/, "d"],
  [/\s*weeks?$/, "w"],
];

/** Reads "3h", "last 2 days" or "45 minutes" as a moving range; undefined when it is none. */
export function readRelative(text: string): string | undefined {
  const short = words.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text.trim().toLowerCase()).replace(/^([a-z])$/, "1$1");
  return lengthOf(short) === undefined ? undefined : short.replaceAll(" ", "").replace("min", "m");
}

/** What the range is called on its button. */
export function rangeName({ range, from, to }: { range: string; from: string; to: string }, zone: string): string {
  const preset = presets.find(({ value }) => value === range);
  if (from && to) {
    const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone });
    return `${format.format(new Date(from))} to ${format.format(new Date(to))}`;
  }
  return preset?.label ?? `Last ${range}`;
}
