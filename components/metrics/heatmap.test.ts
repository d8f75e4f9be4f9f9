import { expect, test } from "vitest";
import { bandName, bandShares, bandStarts, heatmapQuantiles, heatmapSummary } from "./heatmap";

/** Quantiles of calls at one time, as the service would answer. */
function latencies(...columns: (number[] | null)[]) {
  const sorted = columns.map((durations) => durations?.toSorted((a, b) => a - b) ?? null);
  const series = heatmapQuantiles.map((quantile) => {
    const part = Number(quantile.slice(1)) / 100;
    const values = sorted.map(
      (durations) => durations?.[Math.ceil(part * durations.length) - 1] ?? null,
    );
    return { groups: { quantile }, values };
  });
  return { times: columns.map((_, index) => `t${index}`), series };
}

const repeated = (count: number, ms: number) => Array<number>(count).fill(ms);

test("the shares of a time add up to all calls, and are exact to a quantile", () => {
  const [shares] = bandShares(
    latencies([...repeated(50, 5), ...repeated(30, 80), ...repeated(20, 2000)]),
  );
  expect(shares?.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
  const of = (ms: number) => shares?.[bandStarts.findLastIndex((start) => start <= ms)] ?? 0;
  expect(Math.abs(of(5) - 0.5)).toBeLessThanOrEqual(0.06);
  expect(Math.abs(of(2000) - 0.2)).toBeLessThanOrEqual(0.06);
});

test("a time without calls has no shares", () => {
  expect(bandShares(latencies(null, [3]))[0]).toBeNull();
});

test("the summary says the typical latency and the time of the slowest calls", () => {
  const shares = bandShares(
    latencies(repeated(100, 30), [...repeated(70, 30), ...repeated(30, 3000)]),
  );
  const text = heatmapSummary(shares, (index) => `column ${index}`);
  expect(text).toMatch(
    /^Typically 25 ms to 50 ms\. Slowest from column 1: (2[5-9]|3[0-5]) % took 1 s and more\.$/,
  );
  expect(heatmapSummary([null], String)).toBe("No calls in this range.");
  expect([bandName(0), bandName(7)]).toEqual(["below 10 ms", "1 s and more"]);
});
