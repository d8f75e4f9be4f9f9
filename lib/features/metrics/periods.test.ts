import { describe, expect, test } from "vitest";
import { isNamedTimeZone } from "@/lib/protocol/time-zones";
import { bucketStarts, isStep, type Period } from "./periods";

const hours = (starts: number[] | undefined) =>
  (starts ?? []).map((at, index, all) => ((all[index + 1] ?? at) - at) / 3_600_000).slice(0, -1);

const buckets = (from: string, to: string, period: Period) =>
  bucketStarts(Date.parse(from), Date.parse(to), period, 1500);

const written = (starts: number[] | undefined) =>
  (starts ?? []).map((at) => new Date(at).toISOString().replace(".000Z", "Z"));

describe("buckets follow the clock of the zone", () => {
  test("a day of Paris has 23 hours when summer begins, 25 when it ends", () => {
    expect(
      hours(
        buckets("2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z", {
          unit: "day",
          count: 1,
          timeZone: "Europe/Paris",
        }),
      ),
    ).toEqual([24, 23, 24]);
    expect(
      hours(
        buckets("2026-10-23T22:00:00Z", "2026-10-26T23:00:00Z", {
          unit: "day",
          count: 1,
          timeZone: "Europe/Paris",
        }),
      ),
    ).toEqual([24, 25, 24]);
  });

  test("a repeated hour counts as two hours; a bucket of six hours with a repeated one has seven", () => {
    const day = ["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"] as const;
    expect(hours(buckets(...day, { unit: "hour", count: 1, timeZone: "Europe/Paris" }))).toEqual(
      Array(25).fill(1),
    );
    expect(hours(buckets(...day, { unit: "hour", count: 6, timeZone: "Europe/Paris" }))).toEqual([
      7, 6, 6, 6,
    ]);
    expect(buckets(...day, { unit: "minute", count: 30, timeZone: "Europe/Paris" })).toHaveLength(
      51,
    );
  });

  test("an hour that the clock skips has no bucket", () => {
    const day = ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"] as const;
    expect(hours(buckets(...day, { unit: "hour", count: 1, timeZone: "Europe/Paris" }))).toEqual(
      Array(23).fill(1),
    );
    expect(hours(buckets(...day, { unit: "hour", count: 6, timeZone: "Europe/Paris" }))).toEqual([
      5, 6, 6, 6,
    ]);
    expect(hours(buckets(...day, { unit: "hour", count: 2, timeZone: "Europe/Paris" }))).toEqual([
      2,
      1,
      ...Array(10).fill(2),
    ]);
  });

  test("Kathmandu's hours begin at :15 of UTC, Lord Howe's clock moves by half an hour", () => {
    expect(
      written(
        buckets("2026-05-01T10:00:00Z", "2026-05-01T11:30:00Z", {
          unit: "hour",
          count: 1,
          timeZone: "Asia/Kathmandu",
        }),
      ),
    ).toEqual([
      "2026-05-01T09:15:00Z",
      "2026-05-01T10:15:00Z",
      "2026-05-01T11:15:00Z",
      "2026-05-01T12:15:00Z",
    ]);
    expect(
      hours(
        buckets("2026-04-04T13:00:00Z", "2026-04-04T17:30:00Z", {
          unit: "hour",
          count: 1,
          timeZone: "Australia/Lord_Howe",
        }),
      ),
    ).toEqual([1, 1.5, 1, 1]);
  });

  test("a midnight that does not exist, and one that occurs twice", () => {
    expect(
      hours(
        buckets("2025-09-06T04:00:00Z", "2025-09-08T03:00:00Z", {
          unit: "day",
          count: 1,
          timeZone: "America/Santiago",
        }),
      ),
    ).toEqual([24, 23]);
    expect(
      hours(
        buckets("2025-11-01T04:00:00Z", "2025-11-03T05:00:00Z", {
          unit: "day",
          count: 1,
          timeZone: "America/Havana",
        }),
      ),
    ).toEqual([24, 25]);
  });

  test("weeks begin on Monday, quarters of a year in January", () => {
    expect(
      written(
        buckets("2026-11-21T00:00:00Z", "2026-11-24T00:00:00Z", {
          unit: "week",
          count: 1,
          timeZone: "UTC",
        }),
      ),
    ).toEqual(["2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"]);
    expect(
      written(
        buckets("2026-02-10T00:00:00Z", "2026-07-01T00:00:00Z", {
          unit: "month",
          count: 3,
          timeZone: "America/New_York",
        }),
      ),
    ).toEqual(["2026-01-01T05:00:00Z", "2026-04-01T04:00:00Z", "2026-07-01T04:00:00Z"]);
  });

  test("more than the limit is reported, not cut", () => {
    expect(
      buckets("2026-01-01T00:00:00Z", "2026-01-02T01:00:00Z", {
        unit: "minute",
        count: 1,
        timeZone: "UTC",
      }),
    ).toHaveLength(1501);
    expect(
      buckets("2026-01-01T00:00:00Z", "2026-01-02T01:01:00Z", {
        unit: "minute",
        count: 1,
        timeZone: "UTC",
      }),
    ).toBeUndefined();
    expect(
      buckets("1970-01-01T00:00:00Z", "2026-01-02T01:01:00Z", {
        unit: "minute",
        count: 1,
        timeZone: "UTC",
      }),
    ).toBeUndefined();
  });
});

test.each([
  ["minute", 60, "hour", 1],
  ["hour", 24, "day", 1],
] as const)(
  "%s x %i begins where %s x %i does, over a change of the clocks too",
  (unit, count, larger, one) => {
    const range = ["2026-03-27T10:00:00Z", "2026-03-31T10:00:00Z"] as const;
    expect(buckets(...range, { unit, count, timeZone: "Europe/Paris" })).toEqual(
      buckets(...range, { unit: larger, count: one, timeZone: "Europe/Paris" }),
    );
  },
);

test("counts that would begin elsewhere in each hour, day or year are rejected", () => {
  expect([1, 5, 30, 7, 60, 0, 1.5].map((count) => isStep({ unit: "minute", count }))).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
    false,
  ]);
  expect([1, 12, 5, 24, 48].map((count) => isStep({ unit: "hour", count }))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  expect([1, 2].map((count) => isStep({ unit: "week", count }))).toEqual([true, false]);
  expect([1, 3, 12, 5].map((count) => isStep({ unit: "month", count }))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("a zone is a name of the IANA data base, not an offset", () => {
  expect(
    ["UTC", "Europe/Paris", "Asia/Kathmandu", "+02:00", "Mars/Olympus", ""].map(isNamedTimeZone),
  ).toEqual([true, true, true, false, false, false]);
});
