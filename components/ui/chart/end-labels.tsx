import type { ChartKind, Plotted, Scale } from "./shapes";

/** The margin of a chart without labels. */
export const noLabels = 20;
const maxLabels = 4;
/** The most of a chart's width that names may take. */
const share = 0.25;
const lineHeight = 15;
const stub = 10;
const padding = 16;
const maxLabelLength = 20;

const isLabelled = ({ isFaint }: Plotted) => !isFaint;
const shown = (label: string) =>
  label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label;

/** The room for names at the ends of up to 4 series; more, bars, and charts too narrow for the names have none. */
export function endLabelsWidth(kind: ChartKind, series: Plotted[], width: number): number {
  const named = series.filter(isLabelled);
  if (kind === "bar" || named.length === 0 || named.length > maxLabels) return noLabels;
  const needed = padding + stub + Math.max(...named.map(({ label }) => shown(label).length)) * 7;
  return needed <= width * share ? needed : noLabels;
}

interface Ended {
  one: Plotted;
  /** In the values' unit. */
  at: number;
}

interface Drawn {
  kind: ChartKind;
  series: Plotted[];
  isOpenEnded: boolean;
  scale: Scale;
}

/** Where each series ends: a line at its last whole bucket, a layer in the middle of its own height there. */
function endsOf({ kind, series, isOpenEnded }: Omit<Drawn, "scale">): Ended[] {
  let below = 0;
  return series.filter(isLabelled).flatMap((one) => {
    const whole = isOpenEnded && one.values.length > 1 ? one.values.slice(0, -1) : one.values;
    const value = whole.findLast((last) => last !== null) ?? null;
    if (value === null) return [];
    if (kind !== "area") return [{ one, at: value }];
    below += value;
    return [{ one, at: below - value / 2 }];
  });
}

/** Pushes labels apart, from the bottom up, and down again where they would leave the chart. */
function spread(places: number[], top: number, bottom: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => (places[b] ?? 0) - (places[a] ?? 0));
  const found = [...places];
  let limit = bottom;
  for (const index of order) {
    found[index] = Math.min(found[index] ?? 0, limit);
    limit = (found[index] ?? 0) - lineHeight;
  }
  limit = top;
  for (const index of order.toReversed()) {
    found[index] = Math.max(found[index] ?? 0, limit);
    limit = (found[index] ?? 0) + lineHeight;
  }
  return found;
}

/** The name of each series next to its end, in its colour and dash. */
export function EndLabels(drawn: Drawn) {
  const { room, y } = drawn.scale;
  const ends = endsOf(drawn);
  const places = spread(
    ends.map(({ at }) => y(at)),
    room.top + lineHeight / 2,
    room.top + room.height - lineHeight / 2,
  );
  const x = room.left + room.width + 4;
  return (
    <g>
      {ends.map(({ one }, index) => (
        <g key={one.key} transform={`translate(${x} ${places[index] ?? 0})`}>
          <line x1="0" x2={stub} stroke={one.color} strokeWidth="2.5" strokeDasharray={one.dash} />
          <text x={stub + 4} dy="0.35em" fill="currentColor" fontSize="12">
            {shown(one.label)}
          </text>
        </g>
      ))}
    </g>
  );
}
