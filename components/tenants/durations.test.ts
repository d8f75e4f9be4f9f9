import { expect, test } from "vitest";
import { durationSeconds } from "@/lib/protocol/durations";
import { countOf, durationOf } from "./durations";

test.each([
  ["PT30M", 30, "minutes"],
  ["PT12H", 12, "hours"],
  ["P366D", 366, "days"],
  ["PT24H", 1, "days"],
  ["PT1H30M", 90, "minutes"],
  ["PT90S", 90, "seconds"],
  ["PT0S", 0, "seconds"],
] as const)("%s is %d %s and converts back to the same", (text, count, unit) => {
  expect(countOf(text)).toEqual({ count, unit });
  expect(durationSeconds(durationOf(count, unit))).toBe(durationSeconds(text));
});
