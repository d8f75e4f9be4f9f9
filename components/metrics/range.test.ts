import { describe, expect, test } from "vitest";
import { bucketStarts } from "@/lib/features/metrics/periods";
import { alignPrevious, type Counts } from "./load";
import {
  isZoneless,
  periodOf,
  presets,
  type Range,
  rangeBefore,
  rangeName,
  rangeOf,
} from "./range";
import { metricsDefaults } from "./state";
import { wallOf } from "./wall-time";

const now = Date.parse("2026-11-21T15:28:11.700Z");
const hour = 3_600_000;
const day = 24 * hour;
const shown = ({ from, to }: Range) => [
  new Date(from).toISOString().slice(0, 16),
  new Date(to).toISOString().slice(0, 16),
];
const asking = (range: string, zone = "UTC", period = "auto") => ({
  ...{ range, from: "", to: "", zone, period },
});
const of = (range: string, zone?: string) => shown(rangeOf(asking(range, zone), now));

describe("a preset", () => {
  test("ends with the running minute, starts at a bucket border and is no longer than its name", () => {
    expect(of("1h")).toEqual(["2026-11-21T14:29", "2026-11-21T15:29"]);
    expect(of("24h")).toEqual(["2026-11-20T15:30", "2026-11-21T15:29"]);
    expect(of("7d")).toEqual(["2026-11-14T16:00", "2026-11-21T15:29"]);
    expect(of("30d")).toEqual(["2026-10-23T00:00", "2026-11-21T15:29"]);
    expect(of("90d")).toEqual(["2026-08-24T00:00", "2026-11-21T15:29"]);
  });

  test("starts at a bucket border of the reader's zone", () => {
    expect(of("7d", "Asia/Kolkata")[0]).toBe("2026-11-14T15:30");
    expect(of("7d", "Asia/Kathmandu")[0]).toBe("2026-11-14T16:15");
    expect(of("30d", "Europe/Berlin")[0]).toBe("2026-10-22T22:00");
    expect(of("90d", "America/New_York")[0]).toBe("2026-08-24T04:00");
    expect(of("30d", "Asia/Kathmandu")[0]).toBe("2026-10-22T18:15");
  });

  test.each([
    ["1h", 1, "minute"],
    ["6h", 5, "minute"],
    ["24h", 5, "minute"],
    ["7d", 1, "hour"],
    ["30d", 1, "day"],
    ["90d", 1, "day"],
    ["301m", 5, "minute"],
    ["45w", 1, "week"],
  ])("%s has buckets of %i %s, and requests them", (range, count, unit) => {
    expect(periodOf(asking(range))).toMatchObject({ unit, count });
  });

  test("with a period longer than itself shows the current bucket", () => {
    const from = rangeOf(asking("1h", "Europe/Berlin", "1-day"), now).from;
    expect(new Date(from).toISOString()).toBe("2026-11-20T23:00:00.000Z");
    const week = rangeOf(asking("7d", "UTC", "1-week"), now).from;
    expect(new Date(week).toISOString()).toBe("2026-11-09T00:00:00.000Z");
  });
});

describe("from and to", () => {
  const fixed = (from: string, to: string) => ({ ...asking(""), from, to });

  test("are unchanged, regardless of bucket borders", () => {
    const given = fixed("2026-11-20T15:26:00.000Z", "2026-11-21T15:20:00.000Z");
    expect(shown(rangeOf(given, now))).toEqual(["2026-11-20T15:26", "2026-11-21T15:20"]);
    expect(periodOf(given)).toBeUndefined();
  });

  test("are cut at now, and compared with the same part of the previous period", () => {
    const given = fixed("2026-11-21T00:00:00.000Z", "2026-11-22T00:00:00.000Z");
    const range = rangeOf(given, now);
    expect(shown(range)).toEqual(["2026-11-21T00:00", "2026-11-21T15:29"]);
    expect(shown(rangeBefore(given, range))).toEqual(["2026-11-20T00:00", "2026-11-20T15:29"]);
  });

  test("of 30 days and more have buckets of a day", () => {
    expect(periodOf(fixed("2026-08-01T00:00:00Z", "2026-08-31T00:00:00Z"))).toMatchObject({
      unit: "day",
    });
  });
});

test.each([
  ["a range that is none", { range: "nope", from: "", to: "" }],
  ["instants that are none", { range: "24h", from: "garbage", to: "2026" }],
  [
    "an end before its begin",
    { range: "24h", from: "2026-11-20T00:00:00Z", to: "2026-11-19T00:00:00Z" },
  ],
])("%s means the last 24 hours, and has that label", (_, given) => {
  expect(rangeName(given, "UTC")).toBe("Last 24 h");
  expect(rangeOf({ ...asking("24h"), ...given }, now)).toEqual(rangeOf(asking("24h"), now));
});

test("buckets of minutes that divide every zone's offset are fetched once for all zones", () => {
  const zoneless = (range: string, period = "auto") => isZoneless(asking(range, "UTC", period));
  expect([zoneless("1h"), zoneless("24h"), zoneless("3d")]).toEqual([true, true, true]);
  expect([zoneless("40h"), zoneless("7d"), zoneless("90d")]).toEqual([false, false, false]);
  expect([zoneless("7d", "15-minute"), zoneless("1h", "10-minute")]).toEqual([true, false]);
});

/** A curve that repeats each local day, or each hour when less than a day is shown. */
function curveOf(zone: string, length: number) {
  const turn = length < day ? hour : day;
  return (at: number) => 100 + 50 * Math.sin((wallOf(at, zone) / turn) * 2 * Math.PI);
}

/** The service's response for calls along a curve: the mean of each bucket, from the start of the range to its end. */
function answerOf(
  { from, to }: Range,
  asked: ReturnType<typeof asking>,
  curve: (at: number) => number,
): Counts {
  const period = periodOf(asked) ?? { unit: "minute", count: 1 };
  const starts = bucketStarts(from, to, { ...period, timeZone: asked.zone }, 1500) ?? [];
  const times = starts.filter((at) => at < to);
  const grain = period.unit === "minute" ? 60_000 : 900_000;
  const values = times.map((start, index) => {
    const [first, end] = [Math.max(start, from), Math.min(starts[index + 1] ?? to, to)];
    const found: number[] = [];
    for (let at = first; at < end; at += grain) found.push(curve(at));
    return found.reduce((sum, value) => sum + value, 0) / found.length;
  });
  return {
    times: times.map((at) => new Date(at).toISOString()),
    series: [{ groups: {}, values }],
  };
}

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Africa/Casablanca",
  // Its clocks change at midnight.
  "America/Santiago",
];
const moments = [
  "2026-11-21T15:30:00Z",
  // Days on and after which clocks change in Berlin, New York, Casablanca and Santiago.
  "2026-03-29T12:15:00Z",
  "2026-04-01T00:00:00Z",
  "2026-10-25T12:00:00Z",
  "2026-10-27T22:45:00Z",
  "2026-03-08T18:00:00Z",
  "2026-11-01T18:30:00Z",
  "2026-11-03T12:00:00Z",
  "2026-03-24T12:00:00Z",
  "2026-09-06T18:00:00Z",
  "2026-04-07T02:00:00Z",
];

describe.each(zones)("in %s", (zone) => {
  test.each(presets.map(({ value }) => value))(
    "%s: what repeats every day lies on its own previous line, and every bucket but the last is whole",
    (value) => {
      for (const moment of moments) {
        const at = Date.parse(moment);
        const asked = asking(value, zone);
        const range = rangeOf(asked, at);
        const curve = curveOf(zone, at - range.from);
        const counts = answerOf(range, asked, curve);
        expect(Date.parse(counts.times[0] ?? ""), `${moment} begins with a bucket`).toBe(
          range.from,
        );
        const before = answerOf(rangeBefore(asked, range), asked, curve);
        const state = { ...metricsDefaults, ...asked };
        const aligned = alignPrevious(state, range, counts, before)?.values ?? [];
        expect(aligned).toHaveLength(counts.times.length);
        // A day of 25 hours has one of them twice.
        const slack = periodOf(asked)?.unit === "day" ? 3 : 1e-6;
        const missing = aligned.filter((value) => value === null).length;
        expect(missing, `${moment}: only what the clocks skipped`).toBeLessThanOrEqual(
          value === "24h" ? 12 : 1,
        );
        for (const [index, value] of (counts.series[0]?.values ?? []).entries())
          if (aligned[index] !== null)
            expect(
              Math.abs((aligned[index] ?? 0) - value),
              `${moment}: ${counts.times[index]}`,
            ).toBeLessThanOrEqual(slack);
      }
    },
  );
});
