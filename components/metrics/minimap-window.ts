import type { Range } from "./range";

/** The parts of the window that can be grabbed: its borders, or all of it. */
export type Grip = "start" | "end" | "all";

/** The starts of buckets and the end of the last one, cut to the range. */
export const bordersOf = (times: readonly number[], { from, to }: Range): number[] => [
  from,
  ...times.filter((at) => at > from && at < to),
  to,
];

const edgesOf = (borders: readonly number[]) => ({
  first: borders[0] ?? 0,
  last: borders.at(-1) ?? 0,
});

/** The position of an instant as a share of the strip's width. */
export function shareAt(borders: readonly number[], at: number): number {
  const { first, last } = edgesOf(borders);
  return (at - first) / (last - first);
}

/** The instant at a share of the strip's width, which may be outside 0 to 1. */
export function instantAt(borders: readonly number[], share: number): number {
  const { first, last } = edgesOf(borders);
  return first + share * (last - first);
}

/** The stops of a grip, in order: a border of the window never passes the other, and a moved window has a constant length. */
export function stopsOf(borders: readonly number[], { from, to }: Range, grip: Grip): number[] {
  if (grip === "start") return borders.filter((at) => at < to);
  if (grip === "end") return borders.filter((at) => at > from);
  const latest = edgesOf(borders).last - (to - from);
  return [...borders.filter((at) => at < latest), latest];
}

/** The place of the stop that is nearest to an instant. */
export function nearestStop(stops: readonly number[], at: number): number {
  let nearest = 0;
  for (const [index, stop] of stops.entries())
    if (Math.abs(stop - at) < Math.abs((stops[nearest] ?? 0) - at)) nearest = index;
  return nearest;
}

/** The window with its grip at an instant: that of its start, where all of it is moved. */
export function withGripAt(window: Range, grip: Grip, at: number): Range {
  if (grip === "start") return { from: at, to: window.to };
  if (grip === "end") return { from: window.from, to: at };
  return { from: at, to: at + window.to - window.from };
}

/** The window with its grip at the stop that is nearest to an instant. */
export function withGripNear(
  borders: readonly number[],
  window: Range,
  grip: Grip,
  at: number,
): Range {
  const stops = stopsOf(borders, window, grip);
  return withGripAt(window, grip, stops[nearestStop(stops, at)] ?? at);
}
