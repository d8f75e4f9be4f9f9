import { expect, test } from "vitest";
import { instantOf, wallText } from "./wall-time";

test.each([
  ["UTC", "2026-11-22T09:05:00.000Z", "2026-11-22T09:05"],
  ["Europe/Berlin", "2026-11-22T09:05:00.000Z", "2026-11-22T10:05"],
  ["Europe/Berlin", "2026-07-22T09:05:00.000Z", "2026-07-22T11:05"],
  ["Asia/Kathmandu", "2026-11-22T23:05:00.000Z", "2026-11-23T04:50"],
  ["America/New_York", "2026-11-22T02:05:00.000Z", "2026-11-21T21:05"],
  // The clocks of Berlin go forward at 01:00 UTC, and back at 01:00 UTC.
  ["Europe/Berlin", "2026-03-29T00:59:00.000Z", "2026-03-29T01:59"],
  ["Europe/Berlin", "2026-03-29T01:00:00.000Z", "2026-03-29T03:00"],
  ["Europe/Berlin", "2026-10-25T02:30:00.000Z", "2026-10-25T03:30"],
])("in %s %s is %s, and vice versa", (zone, at, text) => {
  expect(wallText(Date.parse(at), zone)).toBe(text);
  expect(instantOf(text, zone).toISOString()).toBe(at);
});
