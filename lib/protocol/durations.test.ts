import { expect, test } from "vitest";
import { durationSeconds, durationText } from "@/lib/protocol/durations";

test.each([
  ["P2W", 1_209_600, "P14D"],
  ["P1D", 86_400, "P1D"],
  ["PT36H", 129_600, "P1DT12H"],
  ["P4DT12H30M5S", 390_605, "P4DT12H30M5S"],
  ["PT0S", 0, "PT0S"],
  ["P01D", 86_400, "P1D"],
])("%s lasts %i seconds, written as %s", (text, seconds, written) => {
  expect([durationSeconds(text), durationText(seconds)]).toEqual([seconds, written]);
});

test.each([
  "",
  "P",
  "PT",
  "P1DT",
  "1D",
  "P1S",
  "PT1D",
  "P1D2H",
  "P1W2D",
  "P1M",
  "P1Y",
  "-P1D",
  " P1D",
  "P1D\n",
  "p1d",
  "P১D",
  "PT0.5S",
])("%j has no fixed length", (text) => {
  expect(durationSeconds(text)).toBeUndefined();
});
