import { t } from "@/components/texts/t";
import type { Latencies } from "./load";

/*
 * The distribution of calls over latency, from one quantile for every 5 %, so that shares are exact to about 5 %.
 *
 *   1 s and more     |     |     |  5% |     |
 *   500 ms to 1 s    |     | 10% | 15% |     |
 *   ...
 *   below 10 ms      | 80% | 60% | 40% | 90% |
 */

/** The starts of the bands in milliseconds; the last one has no end. */
export const bandStarts = [0, 10, 25, 50, 100, 250, 500, 1000] as const;

/** The requested quantiles: p5 to p95, and p99. */
export const heatmapQuantiles: string[] = [
  ...Array.from({ length: 19 }, (_, index) => `p${5 * (index + 1)}`),
  "p99",
];

const limitText = (ms: number) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

/** "10 to 25 ms", "1 s and more" */
export function bandName(band: number): string {
  const [start = 0, end] = [bandStarts[band], bandStarts[band + 1]];
  if (end === undefined) return t("{start} and more", { start: limitText(start) });
  return start === 0
    ? t("below {end}", { end: limitText(end) })
    : t("{start} to {end}", { start: limitText(start), end: limitText(end) });
}

interface Point {
  /** The part of the calls that took at most `ms`. */
  part: number;
  ms: number;
}

/** The part of the calls below a latency, interpolated linearly between quantiles. */
function partBelow(points: readonly Point[], ms: number): number {
  let before: Point = { part: 0, ms: 0 };
  for (const point of points) {
    if (point.ms >= ms) {
      const width = point.ms - before.ms;
      const along = width === 0 ? 0 : (ms - before.ms) / width;
      return before.part + along * (point.part - before.part);
    }
    before = point;
  }
  return 1;
}

/** The shares of the bands at each time, 0 to 1, lowest band first; null where there was no call. */
export function bandShares({ times, series }: Latencies): (number[] | null)[] {
  const quantiles = series
    .map(({ groups, values }) => ({ part: Number((groups.quantile ?? "").slice(1)) / 100, values }))
    .sort((a, b) => a.part - b.part);
  return times.map((_, index) => {
    const points = quantiles.flatMap(({ part, values }) => {
      const ms = values[index];
      return ms === null || ms === undefined ? [] : [{ part, ms }];
    });
    if (points.length === 0) return null;
    const below = [...bandStarts.map((start) => partBelow(points, start)), 1];
    return bandStarts.map((_start, band) => (below[band + 1] ?? 1) - (below[band] ?? 0));
  });
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The heatmap in two sentences: the typical latency, and the time of the slowest calls. */
export function heatmapSummary(
  shares: readonly (number[] | null)[],
  nameOf: (index: number) => string,
): string {
  const known = shares.flatMap((bands, index) => (bands ? [{ bands, index }] : []));
  if (known.length === 0) return t("No calls in this range.");
  const mean = (band: number) =>
    known.reduce((sum, { bands }) => sum + (bands[band] ?? 0), 0) / known.length;
  const means = bandStarts.map((_start, band) => mean(band));
  const usual = means.indexOf(Math.max(...means));
  const topBand = Math.max(
    ...known.map(({ bands }) => bands.findLastIndex((part) => part >= 0.05)),
  );
  const slowest = known.toSorted((a, b) => (b.bands[topBand] ?? 0) - (a.bands[topBand] ?? 0))[0];
  const most = t("Typically {band}.", { band: bandName(usual) });
  if (!slowest || topBand <= usual) return most;
  const part = percent(slowest.bands[topBand] ?? 0);
  return t("{most} Slowest from {time}: {part} took {band}.", {
    most,
    time: nameOf(slowest.index),
    part,
    band: bandName(topBand),
  });
}
