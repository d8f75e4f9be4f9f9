import { expect, test } from "vitest";
import type { MetricsData } from "./load";
import { markerWords, placeMarkers, spansOf, uncountedSpans } from "./markers";

const minute = 60_000;
const start = Date.parse("2026-11-22T09:00:00Z");
const times = [0, 5, 10].map((minutes) => start + minutes * minute);
const after = (minutes: number) => new Date(start + minutes * minute).toISOString();
const marker = (minutes: number, title: string, until?: number) => ({
  id: `mark_${title}`,
  at: after(minutes),
  until: until === undefined ? null : after(until),
  title,
  kind: "deploy",
  url: null,
  source: "reported" as const,
  author: { id: "user_1", login: "ci" },
});
const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

test("a marker is placed in the bucket of its time, oldest first; one before the chart is left out", () => {
  const placed = placeMarkers(
    [marker(14, "c"), marker(5, "b"), marker(4, "a"), marker(-1, "early")],
    times,
  );
  expect(placed.map(({ title, index }) => `${title} ${index}`)).toEqual(["a 0", "b 1", "c 2"]);
});

test("a bucket lists its markers with their times, and the number of further ones", () => {
  const many = [0, 1, 2, 3, 4, 4].map((minutes, place) => marker(minutes, `d${place}`)).reverse();
  expect(markerWords(placeMarkers(many, times), clock).get(0)).toEqual([
    "09:00 d0",
    "09:01 d1",
    "09:02 d2",
    "09:03 d3",
    "and 2 more",
  ]);
});

test("reported markers are listed before automatic ones, however many there are", () => {
  const recorded = [0, 1, 2, 3].map((minutes) => ({
    ...marker(minutes, `key ${minutes}`),
    source: "trail" as const,
  }));
  const placed = placeMarkers([marker(4, "Storefront 4.2"), ...recorded.reverse()], times);
  expect(markerWords(placed, clock).get(0)?.[0]).toBe("09:04 Storefront 4.2");
});

test("a range spans from the bucket of its start to that of its end, once for each range", () => {
  const placed = placeMarkers(
    [marker(6, "late", 7), marker(2, "same", 10), marker(0, "long", 10), marker(-9, "early", 1)],
    times,
  );
  expect(placed.map(({ title, index, last }) => `${title} ${index} ${last}`)).toEqual([
    "early 0 0",
    "long 0 1",
    "same 0 1",
    "late 1 1",
  ]);
  expect(spansOf(placed)).toEqual([{ from: 0, to: 1 }]);
  expect(placeMarkers([marker(-9, "over before", 0)], times)).toEqual([]);
});

test("a note names its author, and a range its end", () => {
  const note = { ...marker(1, "cache was cold", 6), kind: "note" };
  const unnamed = { ...note, until: null, author: { id: "user_1", login: null } };
  expect(markerWords(placeMarkers([unnamed, note], times), clock).get(0)).toEqual([
    "09:01 to 09:06 cache was cold (ci)",
    "09:01 cache was cold (user_1)",
  ]);
});

test("the part before counting started is a band that says since when calls are counted", () => {
  const times = ["2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27"];
  const data = (countedSince: string | null) =>
    ({
      counts: { times: times.map((day) => `${day}T00:00:00.000Z`), series: [] },
      range: { from: Date.parse("2026-10-24"), to: Date.parse("2026-10-27T12:00:00Z") },
      metadata: { countedSince },
    }) as unknown as MetricsData;
  const [band] = uncountedSpans(data("2026-10-26T08:15:00.000Z"), "UTC");
  expect(band).toEqual({ from: 0, to: 2, label: "Counted since 26 Oct" });
  expect(uncountedSpans(data("2026-10-23T08:15:00.000Z"), "UTC")).toEqual([]);
  expect(uncountedSpans(data(null), "UTC")).toEqual([]);
});
