import { expect, test } from "vitest";
import { type Condition, nextStatus } from "./evaluate";
import type { AlertMeasure, AlertStatus } from "./values";

const rule = (measure: AlertMeasure): Condition => ({
  ...{ measure, threshold: 10, windowMinutes: 60, minimumCount: 100 },
});

type Case = [
  title: string,
  measure: AlertMeasure,
  before: AlertStatus,
  found: [value: number | null, shortValue: number | null, calls: number],
  after: AlertStatus,
];

const cases: Case[] = [
  ["both windows above the threshold", "latency-p95", "ok", [11, 12, 100], "firing"],
  ["at the threshold", "latency-p95", "ok", [10, 12, 100], "ok"],
  ["the long window alone", "latency-p95", "ok", [11, 9, 100], "ok"],
  ["the short window alone", "latency-p95", "ok", [9, 100, 100], "ok"],
  ["fewer calls than the minimum", "latency-p95", "ok", [11, 12, 99], "no-data"],
  ["enough calls again", "latency-p95", "no-data", [1, 1, 100], "ok"],
  ["no calls", "error-rate", "pending", [null, null, 0], "no-data"],
  ["firing, the short window below", "latency-p95", "firing", [11, 9, 100], "ok"],
  ["firing, the long window below", "latency-p95", "firing", [9, 12, 100], "firing"],
  ["firing, fewer calls", "latency-p95", "firing", [11, null, 3], "firing"],
  ["firing, no calls in the window", "latency-p95", "firing", [null, null, 0], "no-data"],
  ["calls above", "calls", "ok", [11, 12, 660], "firing"],
  ["no calls where few are wanted", "calls", "ok", [0, 0, 0], "ok"],
  ["firing, no calls any more", "calls", "firing", [11, 0, 660], "ok"],
];

test.each(cases)("%s", (...[, measure, before, found, after]) => {
  const [value, shortValue, calls] = found;
  expect(nextStatus(rule(measure), before, { value, shortValue, calls }, 0)).toBe(after);
});

const silence = { ...rule("silence"), threshold: 0 };
const silent = { value: 0, shortValue: 0, calls: 0 };

test("silence fires where the day before had enough calls", () => {
  expect(nextStatus(silence, "ok", silent, 100)).toBe("firing");
  expect(nextStatus(silence, "ok", silent, 99)).toBe("no-data");
});

test("silence never fires for an operation that was never called", () => {
  expect(nextStatus({ ...silence, minimumCount: 0 }, "ok", silent, 0)).toBe("no-data");
});

test("silence fires until the first call arrives", () => {
  expect(nextStatus(silence, "firing", silent, 0)).toBe("firing");
  const heard = { value: 0.02, shortValue: 0.2, calls: 1 };
  expect(nextStatus(silence, "firing", heard, 0)).toBe("ok");
});
