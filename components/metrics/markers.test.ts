import { expect, test } from "vitest";
import { markerWords, placeMarkers } from "./markers";

const minute = 60_000;
const start = Date.parse("2026-11-22T09:00:00Z");
const times = [0, 5, 10].map((minutes) => start + minutes * minute);
const marker = (minutes: number, title: string) => ({
  id: `mark_${title}`,
  at: new Date(start + minutes * minute).toISOString(),
  title,
  kind: "deploy",
  url: null,
  source: "reported" as const,
});
const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

test("a marker lies in the bucket in which it happened, oldest first; one before the chart is not on it", () => {
  const placed = placeMarkers(
    [marker(14, "c"), marker(5, "b"), marker(4, "a"), marker(-1, "early")],
    times,
  );
  expect(placed.map(({ title, index }) => `${title} ${index}`)).toEqual(["a 0", "b 1", "c 2"]);
});

test("a bucket names its markers with their times, and says how many more there are", () => {
  const many = [0, 1, 2, 3, 4, 4].map((minutes, place) => marker(minutes, `d${place}`)).reverse();
  expect(markerWords(placeMarkers(many, times), clock).get(0)).toEqual([
    "09:00 d0",
    "09:01 d1",
    "09:02 d2",
    "09:03 d3",
    "and 2 more",
  ]);
});
