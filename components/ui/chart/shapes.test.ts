import { expect, test } from "vitest";
import { aloneIn, barsPath, layerPath, layersOf, linePath, scaleOf } from "./shapes";

const room = { left: 10, top: 0, width: 100, height: 50 };
const scale = scaleOf(room, 3, false, 10);

test("a line goes through its points from edge to edge", () => {
  expect(linePath(scale, [0, 5, 10])).toBe("M10,50L60,25L110,0");
});

test("a gap ends a line, and a value between two gaps stands alone", () => {
  expect(linePath(scaleOf(room, 5, false, 10), [10, 10, null, 0, 0])).toBe(
    "M10,0L35,0M85,50L110,50",
  );
  expect(linePath(scale, [null, 5, null])).toBe("M60,25h0.01");
  expect(aloneIn([1, 1, null, 2, null])).toEqual([3]);
  expect(aloneIn([1, null, 2])).toEqual([0, 2]);
});

test("layers lie on each other; a missing value is a gap in its own layer and takes no height", () => {
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

test("a layer is closed along what is below it", () => {
  const [, upper] = layersOf([
    [2, 2, 2],
    [8, 3, 0],
  ]);
  expect(upper && layerPath(scale, upper)).toBe("M10,0L60,25L110,40L110,40L60,40L10,40Z");
});

test("bars stand in the middle of their bands; one without height is not drawn", () => {
  const bands = scaleOf(room, 2, true, 10);
  expect(barsPath(bands, { low: [0, 4], high: [10, 4] })).toBe("M15,0h40V50h-40Z");
});
