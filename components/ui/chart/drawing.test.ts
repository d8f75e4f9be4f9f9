import { describe, expect, test } from "vitest";
import { drawingOf, widthClasses } from "./drawing";
import { endPlaces, endRoomOf, rightOf } from "./end-labels";
import { keptBuckets } from "./rows";
import type { Plotted } from "./shapes";

const day = Array.from({ length: 288 }, (_, index) => index);
const wave = (length: number) => day.map((index) => 50 + 40 * Math.sin(index / length));

describe("with more buckets than can be distinguished", () => {
  const series = [wave(3), wave(11)];
  const most = 140;

  test("at most as many are drawn as there is room for", () => {
    expect(keptBuckets(series, most).length).toBeLessThanOrEqual(most);
    expect(keptBuckets(series, 288)).toEqual(day);
  });

  test("every series keeps its minimum and maximum, and the range its ends", () => {
    const kept = keptBuckets(series, most);
    for (const values of series) {
      const drawn = kept.map((index) => values[index] ?? Number.NaN);
      expect(Math.max(...drawn)).toBe(Math.max(...values));
      expect(Math.min(...drawn)).toBe(Math.min(...values));
    }
    expect([kept[0], ...kept.slice(-2)]).toEqual([0, 286, 287]);
  });

  test("a chart without any room keeps the ends of its range", () => {
    expect(keptBuckets(series, -8)).toEqual(expect.arrayContaining([0, 286, 287]));
  });

  test("a single peak of one bucket is drawn, wherever it is", () => {
    for (const at of day)
      expect(keptBuckets([day.map((index) => (index === at ? 1 : 0))], 40)).toContain(at);
  });

  test("a gap stays a gap, wherever it is", () => {
    for (const at of day.slice(1, -1)) {
      const kept = keptBuckets([day.map((index) => (index === at ? null : 1))], 40);
      expect(kept).toEqual(expect.arrayContaining([at - 1, at, at + 1]));
    }
  });
});

const series = (label: string, values: (number | null)[]): Plotted => ({
  ...{ key: label, label, color: "red", dash: "0", values },
});

const asked = {
  kind: "area" as const,
  height: 132,
  times: [0, 60_000, 120_000],
  timeZone: "UTC",
  isOpenEnded: true,
  format: String,
};

test("a drawing is plain data, so that two of them can be compared", () => {
  const drawing = drawingOf({ ...asked, series: [series("2xx", [1, null, 3])] });
  expect(JSON.parse(JSON.stringify(drawing))).toEqual(drawing);
});

test("names at the ends are next to the last whole bucket, from a minimum width on", () => {
  const drawing = drawingOf({
    ...asked,
    series: [series("2xx", [4, 2, 9]), series("5xx", [1, 2, 9])],
  });
  expect(endPlaces(drawing).map(({ label }) => label)).toEqual(["2xx", "5xx"]);
  expect(drawing.ends.map(({ at }) => at)).toEqual([1, 3]);
  const { fromClass, width } = endRoomOf(drawing) ?? { fromClass: -1, width: 0 };
  expect(widthClasses[fromClass]?.from).toBe(280);
  expect(rightOf(drawing, fromClass)).toBe(width);
  expect(rightOf(drawing, fromClass - 1)).toBe(20);
  const many = ["a", "b", "c", "d", "e"].map((label) => series(label, [1, 1, 1]));
  expect(endRoomOf(drawingOf({ ...asked, series: many }))).toBeUndefined();
  expect(endRoomOf(drawingOf({ ...asked, kind: "bar", series: many.slice(0, 1) }))).toBeUndefined();
});

test("an axis of counts has whole ticks, one of shares has fractions", () => {
  const ticksOf = (values: (number | null)[]) =>
    drawingOf({ ...asked, series: [series("2xx", values)] }).values.map(({ value }) => value);
  expect(ticksOf([0, null, 1])).toEqual([0, 1]);
  expect(ticksOf([0.5, null, 1])).toEqual([0, 0.25, 0.5, 0.75, 1]);
});
