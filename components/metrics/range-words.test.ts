import { expect, test } from "vitest";
import { rangeWords } from "./range-words";

test.each([
  ["20:00", "21:00", "20:00 to 21:00"],
  ["23 Nov, 20:00", "23 Nov, 21:00", "23 Nov, 20:00 to 21:00"],
  ["23 Nov, 20:00", "24 Nov, 21:00", "23 Nov, 20:00 to 24 Nov, 21:00"],
  ["Mon 23 Nov, 20:00 CET", "Mon 23 Nov, 21:00 CET", "Mon 23 Nov, 20:00 to 21:00 CET"],
  [
    "Mon 23 Nov, 20:00 GMT+1",
    "Tue 24 Nov, 21:00 GMT+1",
    "Mon 23 Nov, 20:00 to Tue 24 Nov, 21:00 GMT+1",
  ],
  // The clocks are set back in between.
  [
    "Sun 25 Oct, 02:30 CEST",
    "Sun 25 Oct, 02:30 CET",
    "Sun 25 Oct, 02:30 CEST to Sun 25 Oct, 02:30 CET",
  ],
])("%s and %s", (start, end, words) => {
  expect(rangeWords(start, end)).toBe(words);
});
