import { shareOf } from "./scale";

/** The paths of a chart's values, in points of its picture. Knows nothing of looks. */

export type Values = readonly (number | null)[];

export type ChartKind = "line" | "area" | "bar";

export interface Plotted {
  key: string;
  label: string;
  color: string;
  dash: string;
  /** Null where there is none, which is drawn as a gap. */
  values: (number | null)[];
  /** Drawn thin behind the others, and not stacked. */
  isFaint?: boolean;
}

interface Drawn {
  kind: ChartKind;
  series: readonly Plotted[];
  times: readonly number[];
}

/** Whether buckets are bands, not points. */
export const isBanded = ({ kind, series }: Omit<Drawn, "times">): boolean =>
  kind === "bar" && series.some(({ isFaint }) => !isFaint);

/** The greatest value that is drawn: of layers and bars that of their sum. */
export function greatest({ kind, series, times }: Drawn) {
  let most = 0;
  for (const [index] of times.entries()) {
    let sum = 0;
    for (const { values, isFaint } of series) {
      const value = values[index] ?? 0;
      if (kind === "line" || isFaint) most = Math.max(most, value);
      else sum += value;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** Where values are drawn within the picture. */
export interface Room {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Scale {
  room: Room;
  x: (index: number) => number;
  y: (value: number) => number;
  /** The width of a bar. */
  bar: number;
}

/** What is drawn of a series: from below up to its values. */
export interface Layer {
  low: readonly number[];
  high: Values;
}

/** The share of its band that a bar takes. */
const barShare = 0.8;

/** A tenth of a point is finer than any screen, and a path with more digits is longer. */
const round = (value: number) => Math.round(value * 10) / 10;

export function scaleOf(room: Room, count: number, isBand: boolean, max: number): Scale {
  const { left, top, width, height } = room;
  return {
    room,
    x: (index) => round(left + shareOf(index, count, isBand) * width),
    y: (value) => round(top + height - (value / max) * height),
    bar: round(Math.max(1, (width / Math.max(1, count)) * barShare)),
  };
}

/** Layers on top of each other. A value that is missing is a gap in its own layer, and takes no height. */
export function layersOf(series: readonly Values[]): Layer[] {
  const sums: number[] = [];
  return series.map((values) => {
    const low = values.map((_, index) => sums[index] ?? 0);
    const high = values.map((value, index) => (value === null ? null : value + (low[index] ?? 0)));
    for (const [index, value] of high.entries()) sums[index] = value ?? low[index] ?? 0;
    return { low, high };
  });
}

interface Place {
  index: number;
  value: number;
}

/** Values that follow each other: a gap ends one run. */
function runsOf(values: Values): Place[][] {
  const runs: Place[][] = [[]];
  for (const [index, value] of values.entries())
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ index, value });
  return runs.filter(({ length }) => length > 0);
}

const through = ({ x, y }: Scale, places: readonly Place[]) =>
  places.map(({ index, value }) => `${x(index)},${y(value)}`).join("L");

/** A value that stands alone is a point, which a line with round ends shows. */
export const linePath = (scale: Scale, values: Values): string =>
  runsOf(values)
    .map((run) => `M${through(scale, run)}${run.length === 1 ? "h0.01" : ""}`)
    .join("");

/** The surface of a layer, run by run: along its top, and back along what is below. */
export const layerPath = (scale: Scale, { low, high }: Layer): string =>
  runsOf(high)
    .map((run) => {
      const back = run.toReversed().map(({ index }) => ({ index, value: low[index] ?? 0 }));
      return `M${through(scale, run)}L${through(scale, back)}Z`;
    })
    .join("");

export const barsPath = ({ x, y, bar }: Scale, { low, high }: Layer): string =>
  high
    .map((value, index) => {
      if (value === null || value === low[index]) return "";
      const [top, bottom] = [y(value), y(low[index] ?? 0)];
      return `M${round(x(index) - bar / 2)},${top}h${bar}V${bottom}h${-bar}Z`;
    })
    .join("");

/** Values without neighbours, which no line shows. */
export const aloneIn = (values: Values): number[] =>
  values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
      ? [index]
      : [],
  );
