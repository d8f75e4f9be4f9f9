import { describe, expect, test } from "vitest";
import {
  bordersOf,
  instantAt,
  nearestStop,
  shareAt,
  stopsOf,
  withGripNear,
} from "./minimap-window";

const borders = [0, 10, 20, 30, 40, 50];

test("borders are those of the buckets, cut to the range", () => {
  expect(bordersOf([-5, 10, 20, 30], { from: 2, to: 35 })).toEqual([2, 10, 20, 30, 35]);
});

test("an instant converts to its share of the width and back", () => {
  expect(shareAt([100, 150, 300], 150)).toBe(0.25);
  expect(instantAt([100, 150, 300], 0.25)).toBe(150);
});

describe("stops of the window from 20 to 30", () => {
  const window = { from: 20, to: 30 };

  test.each([
    ["start", [0, 10, 20]],
    ["end", [30, 40, 50]],
    ["all", [0, 10, 20, 30, 40]],
  ] as const)("of its %s", (grip, stops) => {
    expect(stopsOf(borders, window, grip)).toEqual(stops);
  });

  test("a window between borders can be moved to the very end", () => {
    expect(stopsOf(borders, { from: 12, to: 17 }, "all")).toEqual([0, 10, 20, 30, 40, 45]);
  });
});

describe("a grip moves to the nearest stop", () => {
  test.each([
    ["start", 4, { from: 0, to: 30 }],
    ["start", 99, { from: 20, to: 30 }],
    ["end", 46, { from: 20, to: 50 }],
    ["end", -9, { from: 20, to: 30 }],
    ["all", 33, { from: 30, to: 40 }],
    ["all", 99, { from: 40, to: 50 }],
    ["all", -9, { from: 0, to: 10 }],
  ] as const)("%s to %i", (grip, at, moved) => {
    expect(withGripNear(borders, { from: 20, to: 30 }, grip, at)).toEqual(moved);
  });

  test("of two equally near stops it takes the earlier", () => {
    expect(nearestStop(borders, 15)).toBe(1);
  });
});
