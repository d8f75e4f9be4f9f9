import type { Drawing } from "./drawing";
import type { Values } from "./shapes";

/**
 * The at most `most` buckets to draw: for each stretch of time the minimum and maximum of every
 * series, and both sides of each gap, so that the path has the same extremes and gaps as the complete one.
 */
export function keptBuckets(series: readonly Values[], most: number): number[] {
  const count = series[0]?.length ?? 0;
  let kept = new Set(Array.from({ length: count }, (_, index) => index));
  // Series that rise and fall together share buckets, so more and shorter stretches fit than for separate series.
  let stretches = Math.max(1, Math.floor(most / 2));
  while (kept.size > most && stretches > 0) {
    kept = bucketsOf(series, stretches);
    stretches -= Math.max(1, Math.floor(stretches / 8));
  }
  return [...kept].sort((a, b) => a - b);
}

function bucketsOf(series: readonly Values[], stretches: number): Set<number> {
  const count = series[0]?.length ?? 0;
  const kept = new Set([0, count - 2, count - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const [from, to] = [stretch, stretch + 1].map((one) => Math.floor((one * count) / stretches));
    for (const values of series)
      for (const index of extremesOf(values, from ?? 0, to ?? count)) kept.add(index);
  }
  return kept;
}

/** The indexes of the minimum and maximum of a stretch, and of the starts and ends of gaps. */
function extremesOf(values: Values, from: number, to: number): number[] {
  const found: number[] = [];
  let [least, greatest] = [-1, -1];
  for (let index = from; index < to; index++) {
    const value = values[index] ?? null;
    if (index > 0 && (value === null) !== ((values[index - 1] ?? null) === null))
      found.push(index - 1, index);
    if (value === null) continue;
    if (least < 0 || value < (values[least] ?? 0)) least = index;
    if (greatest < 0 || value > (values[greatest] ?? 0)) greatest = index;
  }
  return least < 0 ? found : [...found, least, greatest];
}

/** One bucket for two points of the screen: more cannot be distinguished. */
const pointsOfWidth = (width: number) => Math.floor(width / 2);

/** A value in the format of recharts: a number, or the bottom and top of a layer. */
export interface Row {
  x: number;
  y: number | [number, number] | null;
}

/** The rows of each series: those that can be distinguished at this width, or all for bars. */
export function rowsOf({ series, places }: Drawing, width: number): Row[][] {
  const layers = series.filter(({ form }) => form === "layer").map(({ high }) => high);
  const most = pointsOfWidth(width);
  const ofLayers = keptBuckets(layers, most);
  return series.map(({ form, low, high }): Row[] => {
    const kept = { line: () => keptBuckets([high], most), layer: () => ofLayers };
    const indexes = form === "bar" ? high.keys() : kept[form]();
    const rows = [...indexes].map((index): Row => {
      const value = high[index] ?? null;
      const y = form === "line" || value === null ? value : ([low[index] ?? 0, value] as const);
      return { x: places.at[index] ?? 0, y: y as Row["y"] };
    });
    // recharts draws no shape of a single point.
    return rows.length === 1 ? [...rows, { x: places.to, y: null }] : rows;
  });
}
