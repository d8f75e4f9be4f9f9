import { expect, test } from "vitest";
import { readRelative } from "./range";

test.each([
  ["3h", "3h"],
  ["last 2 days", "2d"],
  ["the last 45 minutes", "45m"],
  ["last week", "1w"],
  ["letzte 3 Stunden", "3h"],
  ["die letzten 2 Tage", "2d"],
  ["letzte Woche", "1w"],
  ["45 Minuten", "45m"],
  ["drei Tage", undefined],
  ["yesterday", undefined],
])("%s is read as %s", (text, range) => {
  expect(readRelative(text)).toBe(range);
});
