import type { Look } from "./marks";
import { type TimeTick, timeTicks, valueTicks } from "./scale";
import {
  type ChartKind,
  evenly,
  greatest,
  isBanded,
  type Layer,
  layersOf,
  type Places,
  type Plotted,
} from "./shapes";

/** A series of a drawing: from its base up to its values. */
export type DrawnSeries = Look & Layer & { label: string };

/** The content of a chart as plain data: every renderer draws the same from it, at any width. */
export interface Drawing {
  height: number;
  /** The margins around the plot. The right one is `right`, or more with names at the ends of series. */
  left: number;
  top: number;
  right: number;
  bottom: number;
  places: Places;
  /** The greatest value of the axis. */
  max: number;
  series: DrawnSeries[];
  isOpenEnded: boolean;
  /** Round values with a line across the chart. */
  values: { value: number; label: string }[];
  /** Round times, for each class of width. */
  times: TimeTick[][];
  /** Names at the ends of series. */
  ends: { label: string; color: string; dash: string; at: number }[];
  /** A line at the bottom, for charts without round values. */
  hasFloor?: boolean;
  /** The threshold to compare with. */
  threshold?: number;
  /** Ranges on the axis. */
  spans?: { from: number; to: number }[];
}

/** The margins around the plot of a chart with axes. */
export const plotRoom = { left: 56, top: 8, bottom: 24 } as const;

/** The margin of a chart without names at its ends. */
export const noEnds = 20;

/** The number of round times by minimum width; the classes are the container queries of `picture.tsx`. */
export const widthClasses = [
  { from: 0, times: 2 },
  { from: 280, times: 4 },
  { from: 400, times: 5 },
  { from: 640, times: 8 },
  { from: 960, times: 12 },
] as const;

export const classOf = (width: number): number =>
  widthClasses.findLastIndex(({ from }) => width >= from);

const isLine = (kind: ChartKind, { isFaint }: Plotted) => kind === "line" || isFaint === true;

/** The series with their stacking; lines and faint series are not stacked. */
export function drawnSeries(kind: ChartKind, series: readonly Plotted[]): DrawnSeries[] {
  const stacked = series.filter((one) => !isLine(kind, one));
  const layers = new Map(
    layersOf(stacked.map(({ values }) => values)).map((layer, index) => [stacked[index], layer]),
  );
  return series.map((one) => {
    const { key, label, color, dash, isFaint = false } = one;
    const form = isLine(kind, one) ? "line" : kind === "bar" ? "bar" : "layer";
    const layer = layers.get(one) ?? { low: [], high: one.values };
    return { key, label, color, dash, isFaint, form, ...layer };
  });
}

const maxEnds = 4;

/** The end of each series: a line at its last whole bucket, a layer in the middle of its height there. */
function endsOf(series: readonly DrawnSeries[], isOpenEnded: boolean): Drawing["ends"] {
  const named = series.filter(({ isFaint }) => !isFaint);
  if (named.length > maxEnds || named.some(({ form }) => form === "bar")) return [];
  return named.flatMap(({ label, color, dash, form, low, high }) => {
    const last = high.findLastIndex(
      (value, index) =>
        value !== null && !(isOpenEnded && high.length > 1 && index === high.length - 1),
    );
    const value = high[last];
    if (value === undefined || value === null) return [];
    return [{ label, color, dash, at: form === "line" ? value : (value + (low[last] ?? 0)) / 2 }];
  });
}

export interface Asked {
  kind: ChartKind;
  height: number;
  /** Milliseconds since the epoch. */
  times: number[];
  timeZone: string;
  series: Plotted[];
  /** The last bucket is incomplete. */
  isOpenEnded: boolean;
  /** Formats a value of the axis. */
  format: (value: number) => string;
  /** The greatest value of the axis, if not that of the chart's series. */
  max?: number | undefined;
}

const ticksOf = new WeakMap<readonly number[], { timeZone: string; ticks: TimeTick[][] }>();

/** Cached: the charts of a page share their times, which stay the same when a series is switched off. */
function ticksFor(times: readonly number[], timeZone: string): TimeTick[][] {
  const known = ticksOf.get(times);
  if (known?.timeZone === timeZone) return known.ticks;
  const ticks = widthClasses.map((one) => timeTicks(times, timeZone, one.times));
  ticksOf.set(times, { timeZone, ticks });
  return ticks;
}

/** Whether all values are integers, such as counts of calls. */
const isCounted = (series: readonly Plotted[]) =>
  series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));

/** A chart with both axes. */
export function drawingOf(asked: Asked): Drawing {
  const { kind, height, times, timeZone, isOpenEnded, format, max } = asked;
  const values = valueTicks(max ?? greatest(asked), isCounted(asked.series));
  const series = drawnSeries(kind, asked.series);
  return {
    ...plotRoom,
    height,
    right: noEnds,
    places: evenly(times.length, isBanded(asked)),
    max: values.at(-1) ?? 1,
    series,
    isOpenEnded,
    values: values.map((value) => ({ value, label: format(value) })),
    times: ticksFor(times, timeZone),
    ends: endsOf(series, isOpenEnded),
  };
}

type SmallAsked = Omit<Asked, "timeZone" | "format"> &
  Partial<Pick<Drawing, "top" | "bottom" | "places" | "threshold" | "spans" | "hasFloor">>;

/** A chart without axes. */
export function smallDrawing({ kind, times, series, max, ...given }: SmallAsked): Drawing {
  const asked = { kind, times, series };
  return {
    ...{ left: 0, top: 2, right: 0, bottom: 0 },
    places: evenly(times.length, isBanded(asked)),
    max: max ?? Math.max(1, greatest(asked)),
    series: drawnSeries(kind, series),
    ...{ values: [], times: [], ends: [] },
    ...given,
  };
}

/** The height of the plot. */
export const plotArea = ({ height, top, bottom }: Drawing): number => height - top - bottom;
