import { expect, test } from "vitest";
import {
  barsPath,
  barWidth,
  evenly,
  layerPath,
  layersOf,
  linePath,
  pointsPath,
  scaleOf,
  spotsOf,
  type Values,
} from "./shapes";

const room = { left: 10, top: 0, width: 100, height: 50 };
const spots = (high: Values, low: number[] = [], isBand = false) =>
  spotsOf(scaleOf(room, evenly(high.length, isBand), 10), { low, high });

test("a line goes through its points from edge to edge", () => {
  expect(linePath(spots([0, 5, 10]))).toBe("M10,50L60,25L110,0");
});

test("a gap ends a line, and a value between two gaps is an isolated point", () => {
  expect(linePath(spots([10, 10, null, 0, 0]))).toBe("M10,0L35,0M85,50L110,50");
  expect(linePath(spots([null, 5, null]))).toBe("M60,25h0.01");
  expect(pointsPath(spots([10, 10, null, 5, null]))).toBe("M85,25h0.01");
  expect(pointsPath(spots([0, null, 10]))).toBe("M10,50h0.01M110,0h0.01");
});

test("a single value is in the middle", () => {
  expect(linePath(spots([5]))).toBe("M60,25h0.01");
});

test("layers are stacked; a missing value is a gap in its layer and has no height", () => {
  expect(
    layersOf([
      [1, 2, null],
      [3, null, 5],
    ]),
  ).toEqual([
    { low: [0, 0, 0], high: [1, 2, null] },
    { low: [1, 2, 0], high: [4, null, 5] },
  ]);
});

test("a layer is closed along the layer below it", () => {
  const [, upper] = layersOf([
    [2, 2, 2],
    [8, 3, 0],
  ]);
  expect(layerPath(spots(upper?.high ?? [], [...(upper?.low ?? [])]))).toBe(
    "M10,0L60,25L110,40L110,40L60,40L10,40Z",
  );
});

test("bars are in the middle of their bands; one without height is not drawn", () => {
  expect(barsPath(spots([10, 4], [0, 4], true), barWidth(100, 2))).toBe("M15,0h40V50h-40Z");
});
