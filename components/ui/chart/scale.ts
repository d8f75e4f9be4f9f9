import { reader } from "@/components/texts/t";

/** Positions on a chart, and the ticks of its axes. Knows nothing of drawing. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The intervals between ticks of the time axis, by the reader's clock. */
const timeSteps = [
  ...[1, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 3, 7].map((count) => count * day),
];
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const monday = 4 * day;
const monthSteps = [1, 2, 3, 6, 12];

const wallClocks = new Map<string, Intl.DateTimeFormat>();

function wallClock(timeZone: string): Intl.DateTimeFormat {
  const known = wallClocks.get(timeZone);
  if (known) return known;
  // Swedish writes dates as ISO 8601 does.
  const created = new Intl.DateTimeFormat("sv-SE", {
    ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  wallClocks.set(timeZone, created);
  return created;
}

/** The wall-clock time as if it were UTC. */
export const localTime = (at: number, timeZone: string): number =>
  timeZone === "UTC" ? at : Date.parse(`${wallClock(timeZone).format(at).replace(" ", "T")}Z`);

const writers = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating a format costs more than all its uses. */
function writer(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { dates } = reader();
  const key = `${dates} ${JSON.stringify(options)}`;
  const created = writers.get(key) ?? new Intl.DateTimeFormat(dates, options);
  writers.set(key, created);
  return created;
}

const isMonthStart = (local: number) => local % day === 0 && new Date(local).getUTCDate() === 1;

/** Whether a wall-clock time starts a step; the coarsest rules are last. */
const rules: ((local: number) => boolean)[] = [
  ...timeSteps.map(
    (step) => (local: number) => (local - (step === 7 * day ? monday : 0)) % step === 0,
  ),
  ...monthSteps.map(
    (count) => (local: number) =>
      isMonthStart(local) && new Date(local).getUTCMonth() % count === 0,
  ),
];

export interface TimeTick {
  /** The index of its bucket. */
  index: number;
  label: string;
}

function label(at: number, timeZone: string, isFirst: boolean): string {
  const local = localTime(at, timeZone);
  const isDay = local % day === 0;
  const date = { day: "numeric", month: "short", timeZone } as const;
  const time = { hour: "2-digit", minute: "2-digit", timeZone } as const;
  const write = (options: Intl.DateTimeFormatOptions) => writer(options).format(at);
  if (isMonthStart(local) && new Date(local).getUTCMonth() === 0 && !isFirst)
    return write({ year: "numeric", timeZone });
  return isDay ? write(date) : write(time);
}

/** Buckets that start at round times of the reader's clock: as many as fit, evenly spaced. */
export function timeTicks(times: readonly number[], timeZone: string, max: number): TimeTick[] {
  const locals = times.map((at) => localTime(at, timeZone));
  const chosen = rules
    .map((isRound) => locals.flatMap((local, index) => (isRound(local) ? [index] : [])))
    .find((indexes) => indexes.length <= max && indexes.length > 0);
  const every = Math.ceil(times.length / max);
  const indexes = chosen ?? locals.map((_, index) => index).filter((index) => index % every === 0);
  return indexes.map((index, place) => ({
    index,
    label: label(times[index] ?? 0, timeZone, place === 0),
  }));
}

/** From 0 to at least `max` in round steps; in whole ones for counts. */
export function valueTicks(max: number, isCounted = false): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = isCounted ? Math.max(1, max / 4) : max / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = isCounted && power === 1 ? [1, 2, 5] : [1, 2, 2.5, 5];
  const step = (round.find((one) => one * power >= rough) ?? 10) * power;
  const count = Math.ceil(Number((max / step).toFixed(6)));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The position of a bucket as a share of the width: in the middle of its band, or on a scale of points. */
export const shareOf = (index: number, count: number, isBand: boolean): number =>
  isBand ? (index + 0.5) / count : count > 1 ? index / (count - 1) : 0.5;

/** The bucket that is nearest to a share of the width. */
export function indexAt(share: number, count: number, isBand: boolean): number {
  const index = isBand ? Math.floor(share * count) : Math.round(share * (count - 1));
  return Math.min(count - 1, Math.max(0, index));
}
