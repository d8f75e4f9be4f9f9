import { describe, expect, test } from "vitest";
import { wholeOf, zoomReset, zoomTo } from "./zooming";

const hour = 3_600_000;
const start = Date.parse("2026-11-22T00:00:00Z");
const day = { from: start, to: start + 24 * hour };
const hours = (from: number, to: number) => ({ from: start + from * hour, to: start + to * hour });
const preset = { range: "24h", from: "", to: "", within: "" };
const fixed = {
  range: "24h",
  from: "2026-11-22T00:00:00.000Z",
  to: "2026-11-23T00:00:00.000Z",
  within: "",
};

describe("a zoom", () => {
  test("keeps the preset as well as the instants, and returns to it", () => {
    const zoomed = zoomTo(preset, day, hours(3, 5));
    expect(zoomed).toEqual({
      range: "24h",
      from: "2026-11-22T03:00:00.000Z",
      to: "2026-11-22T05:00:00.000Z",
      within: "2026-11-22T00:00:00.000Z/2026-11-23T00:00:00.000Z",
    });
    expect(wholeOf(zoomed)).toEqual(day);
    expect(zoomReset(zoomed)).toEqual(preset);
  });

  test("of instants returns to those, not to a preset that the address implies", () => {
    const zoomed = zoomTo(fixed, day, hours(3, 5));
    expect(zoomed.range).toBe("");
    expect(zoomReset(zoomed)).toEqual({ ...fixed, range: "" });
  });

  test("into a zoom keeps the whole range of the first", () => {
    const first = zoomTo(preset, day, hours(2, 8));
    const second = zoomTo(first, hours(2, 8), hours(3, 4));
    expect(wholeOf(second)).toEqual(day);
    expect(zoomReset(second)).toEqual(preset);
  });

  test("ends with the range, even in a bucket that starts before its end", () => {
    expect(wholeOf(zoomTo(preset, day, hours(-1, 25)))).toEqual(day);
  });
});

describe("an address is not zoomed", () => {
  test.each([
    ["without a whole", { ...fixed }],
    ["whose whole is no range", { ...fixed, within: "yesterday" }],
    ["whose whole ends before it begins", { ...fixed, within: `${fixed.to}/${fixed.from}` }],
    ["whose part lies outside", { ...fixed, within: `2026-11-22T01:00:00.000Z/${fixed.to}` }],
    ["that names no part", { ...preset, within: `${fixed.from}/${fixed.to}` }],
  ])("%s", (_, state) => {
    expect(wholeOf(state)).toBeUndefined();
    expect(zoomReset(state)).toEqual({ ...state, within: "" });
  });
});
