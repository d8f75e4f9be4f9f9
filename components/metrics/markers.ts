import type { Marker } from "./load";

/** A marker at its place on the charts. */
export interface PlacedMarker extends Marker {
  /** The place of its bucket. */
  index: number;
}

/** Markers that lie on the charts, oldest first. */
export function placeMarkers(markers: readonly Marker[], times: readonly number[]): PlacedMarker[] {
  return markers
    .flatMap((marker) => {
      const index = times.findLastIndex((at) => at <= Date.parse(marker.at));
      return index < 0 ? [] : [{ ...marker, index }];
    })
    .reverse();
}

/** At most so many of a bucket are named in its tooltip. */
const maxNamed = 4;

/** What is said of markers in each bucket that has any. */
export function markerWords(placed: readonly PlacedMarker[], clock: (at: number) => string) {
  const words = new Map<number, string[]>();
  for (const { index, at, title } of placed)
    words.set(index, [...(words.get(index) ?? []), `${clock(Date.parse(at))} ${title}`]);
  for (const [index, all] of words)
    if (all.length > maxNamed)
      words.set(index, [...all.slice(0, maxNamed), `and ${all.length - maxNamed} more`]);
  return words;
}
