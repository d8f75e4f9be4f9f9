import { type Drawing, noEnds, widthClasses } from "./drawing";

/** Names at the ends of series: whether there is room for them, and their positions. */

/** The maximum share of a chart's width for names. */
const share = 0.25;
const lineHeight = 15;
/** The length of the line before a name. */
export const stub = 10;
const padding = 16;
const maxLabelLength = 20;

const shown = (label: string) =>
  label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label;

export interface EndRoom {
  /** The margin on the right that the names need. */
  width: number;
  /** The narrowest width class with room for them. */
  fromClass: number;
}

/** Undefined when there are no names, or no chart is wide enough for them. */
export function endRoomOf({ ends }: Drawing): EndRoom | undefined {
  if (ends.length === 0) return undefined;
  const width = padding + stub + Math.max(...ends.map(({ label }) => shown(label).length)) * 7;
  const fromClass = widthClasses.findIndex(({ from }) => width <= from * share);
  return fromClass < 0 ? undefined : { width, fromClass };
}

/** The right margin of a chart of a width class. */
export function rightOf(drawing: Drawing, widthClass: number): number {
  const ends = endRoomOf(drawing);
  return ends && widthClass >= ends.fromClass ? Math.max(noEnds, ends.width) : drawing.right;
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

/** The names and their middles, in points below the top of the plot. */
export function endPlaces({ ends, max, height, top, bottom }: Drawing) {
  const plotted = height - top - bottom;
  const places = spread(
    ends.map(({ at }) => plotted - (at / max) * plotted),
    lineHeight / 2,
    plotted - lineHeight / 2,
  );
  return ends.map(({ label, ...end }, index) => ({
    ...end,
    label: shown(label),
    y: places[index] ?? 0,
  }));
}
