import { describe, expect, test } from "vitest";
import { indexAt, shareOf, timeTicks, valueTicks } from "./scale";

const minute = 60_000;
const range = (from: string, count: number, step: number) =>
  Array.from({ length: count }, (_, index) => Date.parse(from) + index * step);
const labels = (times: number[], zone: string, max = 8) =>
  timeTicks(times, zone, max).map(({ label }) => label);

describe("ticks of the time axis", () => {
  test("are round hours of the reader's clock, regardless of the start of the range; midnight shows the day", () => {
    const times = range("2026-11-21T16:25:00Z", 288, 5 * minute);
    expect(labels(times, "Europe/Berlin")).toEqual([
      "18:00",
      "21:00",
      "22 Nov",
      "03:00",
      "06:00",
      "09:00",
      "12:00",
      "15:00",
    ]);
    expect(labels(times, "UTC", 5)).toEqual(["18:00", "22 Nov", "06:00", "12:00"]);
  });

  test("are round where the zone's offset is not whole hours", () => {
    const times = range("2026-11-21T16:15:00Z", 96, 15 * minute);
    expect(labels(times, "Asia/Kathmandu", 4)).toEqual(["22 Nov", "06:00", "12:00", "18:00"]);
  });

  test("follow the clock when it is set back an hour", () => {
    const times = range("2026-10-24T22:00:00Z", 25, 60 * minute);
    expect(labels(times, "Europe/Berlin", 5)).toEqual(["25 Oct", "06:00", "12:00", "18:00"]);
  });

  test("are days, then Mondays, then months for longer ranges", () => {
    const day = 1440 * minute;
    expect(labels(range("2026-11-01T00:00:00Z", 7, day), "UTC")).toHaveLength(7);
    expect(labels(range("2026-10-01T00:00:00Z", 40, day), "UTC")).toEqual([
      "5 Oct",
      "12 Oct",
      "19 Oct",
      "26 Oct",
      "2 Nov",
      "9 Nov",
    ]);
    expect(labels(range("2026-08-15T00:00:00Z", 200, day), "UTC")).toEqual([
      "1 Sept",
      "1 Oct",
      "1 Nov",
      "1 Dec",
      "2027",
      "1 Feb",
      "1 Mar",
    ]);
  });

  test("are spread evenly when no bucket starts at a round time", () => {
    const times = range("2026-11-21T16:02:30Z", 20, 60 * minute);
    expect(timeTicks(times, "UTC", 5).map(({ index }) => index)).toEqual([0, 4, 8, 12, 16]);
  });
});

test("counted values have whole ticks", () => {
  expect(valueTicks(1, true)).toEqual([0, 1]);
  expect(valueTicks(2, true)).toEqual([0, 1, 2]);
  expect(valueTicks(3, true)).toEqual([0, 1, 2, 3]);
  expect(valueTicks(9, true)).toEqual([0, 5, 10]);
  expect(valueTicks(912, true)).toEqual([0, 250, 500, 750, 1000]);
  for (let max = 1; max < 500; max += 1)
    expect(valueTicks(max, true).every(Number.isInteger), String(max)).toBe(true);
});

test("ticks of the value axis are round and reach the greatest value", () => {
  expect(valueTicks(0)).toEqual([0, 1]);
  expect(valueTicks(4)).toEqual([0, 1, 2, 3, 4]);
  expect(valueTicks(7.3)).toEqual([0, 2, 4, 6, 8]);
  expect(valueTicks(912)).toEqual([0, 250, 500, 750, 1000]);
  expect(valueTicks(0.07)).toEqual([0, 0.02, 0.04, 0.06, 0.08]);
});

test("a position maps to the bucket drawn there", () => {
  for (const isBand of [true, false])
    for (let index = 0; index < 7; index += 1)
      expect(indexAt(shareOf(index, 7, isBand), 7, isBand)).toBe(index);
  expect([indexAt(-1, 7, true), indexAt(2, 7, false), indexAt(0.5, 1, false)]).toEqual([0, 6, 0]);
});
