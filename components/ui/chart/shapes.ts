/** The paths of a chart's values, in points of its picture. Knows nothing of looks. */

export type Values = readonly (number | null)[];

export type ChartKind = "line" | "area" | "bar";

export interface Plotted {
  key: string;
  label: string;
  color: string;
  dash: string;
  /** Null for a missing value, which is drawn as a gap. */
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

/** The greatest drawn value; for layers and bars that of their sum. */
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

/** The plot area within the picture. */
export interface Room {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The positions of buckets on the axis, and its range. */
export interface Places {
  at: readonly number[];
  from: number;
  to: number;
}

/** Evenly spaced buckets: as points from edge to edge, or as bands with half a bucket at each edge. */
export const evenly = (count: number, isBand: boolean): Places => ({
  at: Array.from({ length: count }, (_, index) => index),
  ...(isBand || count < 2 ? { from: -0.5, to: count - 0.5 } : { from: 0, to: count - 1 }),
});

export interface Scale {
  x: (index: number) => number;
  y: (value: number) => number;
}

/** The drawn values of a series, from their base up to the values. */
export interface Layer {
  low: readonly number[];
  high: Values;
}

/** The position of a value and of its base. `y` is missing for a gap. */
export interface Spot {
  x: number;
  y: number | null;
  base: number;
}

/** The share of its band that a bar takes. */
const barShare = 0.8;

/** A tenth of a point is finer than any screen, and a path with more digits is longer. */
const round = (value: number) => Math.round(value * 10) / 10;

export const scaleOf = (
  { left, top, width, height }: Room,
  places: Places,
  max: number,
): Scale => ({
  x: (index) =>
    left + (((places.at[index] ?? 0) - places.from) / (places.to - places.from)) * width,
  y: (value) => top + height - (value / max) * height,
});

export const barWidth = (width: number, count: number): number =>
  round(Math.max(1, (width / Math.max(1, count)) * barShare));

export const spotsOf = ({ x, y }: Scale, { low, high }: Layer): Spot[] =>
  high.map((value, index) => ({
    x: x(index),
    y: value === null ? null : y(value),
    base: y(low[index] ?? 0),
  }));

/** Layers on top of each other. A missing value is a gap in its layer and has no height. */
export function layersOf(series: readonly Values[]): Layer[] {
  const sums: number[] = [];
  return series.map((values) => {
    const low = values.map((_, index) => sums[index] ?? 0);
    const high = values.map((value, index) => (value === null ? null : value + (low[index] ?? 0)));
    for (const [index, value] of high.entries()) sums[index] = value ?? low[index] ?? 0;
    return { low, high };
  });
}

type Place = [x: number, y: number];

/** Values that follow each other: a gap ends one run. */
function runsOf(spots: readonly Spot[]): (Spot & { y: number })[][] {
  const runs: (Spot & { y: number })[][] = [[]];
  for (const { x, y, base } of spots)
    if (y === null) runs.push([]);
    else runs.at(-1)?.push({ x, y, base });
  return runs.filter(({ length }) => length > 0);
}

const through = (places: readonly Place[]) =>
  places.map(([x, y]) => `${round(x)},${round(y)}`).join("L");

/** An isolated value is a point, which a line with round ends shows. */
export const linePath = (spots: readonly Spot[]): string =>
  runsOf(spots)
    .map((run) => `M${through(run.map(({ x, y }) => [x, y]))}${run.length === 1 ? "h0.01" : ""}`)
    .join("");

/** The area of a layer, run by run: along its top, and back along its base. */
export const layerPath = (spots: readonly Spot[]): string =>
  runsOf(spots)
    .map((run) => {
      const back = run.toReversed().map(({ x, base }): Place => [x, base]);
      return `M${through(run.map(({ x, y }) => [x, y]))}L${through(back)}Z`;
    })
    .join("");

export const barsPath = (spots: readonly Spot[], width: number): string =>
  spots
    .map(({ x, y, base }) => {
      if (y === null || y === base) return "";
      return `M${round(x - width / 2)},${round(y)}h${width}V${round(base)}h${-width}Z`;
    })
    .join("");

/** Values without neighbours, which no line shows, each as a point. */
export const pointsPath = (spots: readonly Spot[]): string =>
  spots
    .flatMap(({ x, y }, index) =>
      y !== null && (spots[index - 1]?.y ?? null) === null && (spots[index + 1]?.y ?? null) === null
        ? [`M${round(x)},${round(y)}h0.01`]
        : [],
    )
    .join("");
