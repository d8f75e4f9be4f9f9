import { quantileOf } from "@/lib/features/metrics/call-labels";
import { callsIn, type MinuteCalls, type MinuteMeasure } from "@/lib/features/metrics/minutes";
import type { AlertReading } from "@/lib/protocol/documents/alert";
import { type AlertMeasure, type AlertStatus, shortWindowMinutes } from "./values";

/*
 * A rule looks at two windows that end at the same minute:
 *
 *   |<----------- window ----------->|
 *                           |<short->|   a twelfth of it
 *
 *   fires      while both are beyond the threshold: the cause has lasted and still does
 *   resolves   as soon as the short one is not: soon after the cause ended
 *   silence    is beyond the threshold at or below it, where there were calls on the day before the window
 *
 * The same functions evaluate each minute live and in a replay of past minutes.
 */

export interface Condition {
  measure: AlertMeasure;
  threshold: number;
  windowMinutes: number;
  minimumCount: number;
}

const quantiles: Partial<Record<AlertMeasure, number>> = {
  "latency-p50": 0.5,
  "latency-p95": 0.95,
  "latency-p99": 0.99,
};

/** The per-minute data that a measure is computed from. */
export function minuteMeasure(measure: AlertMeasure): MinuteMeasure {
  if (measure in quantiles) return "latency";
  if (measure === "error-rate") return "5xx";
  return measure === "client-error-rate" ? "4xx" : "calls";
}

/** The value of a measure from the summed numbers of this many minutes; null if there is nothing to measure. */
function measuredBy(measure: AlertMeasure, numbers: Float64Array, minutes: number): number | null {
  const quantile = quantiles[measure];
  if (quantile !== undefined) return quantileOf(numbers, quantile);
  const [calls = 0, failed = 0] = numbers;
  if (minuteMeasure(measure) === "calls") return calls / minutes;
  return calls === 0 ? null : failed / calls;
}

/** The summed numbers of the minutes of each window. */
export interface Sums {
  long: Float64Array;
  short: Float64Array;
}

/** The values of the windows. */
export function readingOf({ measure, windowMinutes }: Condition, sums: Sums): AlertReading {
  return {
    value: measuredBy(measure, sums.long, windowMinutes),
    shortValue: measuredBy(measure, sums.short, shortWindowMinutes(windowMinutes)),
    calls: callsIn(minuteMeasure(measure), sums.long),
  };
}

export function addMinute(sum: Float64Array, minute: MinuteCalls, sign: 1 | -1 = 1): void {
  minute?.forEach((calls, index) => {
    if (calls > 0) sum[index] = (sum[index] ?? 0) + sign * calls;
  });
}

const isSilence = ({ measure }: Condition) => measure === "silence";

function isBeyond(condition: Condition, value: number | null): boolean {
  if (value === null) return false;
  return isSilence(condition) ? value <= condition.threshold : value > condition.threshold;
}

/** Whether the calls of the day before are needed: only for a silence rule that is beyond its threshold and not firing yet. */
export const needsBaseline = (condition: Condition, status: AlertStatus, found: AlertReading) =>
  isSilence(condition) &&
  status !== "firing" &&
  isBeyond(condition, found.value) &&
  isBeyond(condition, found.shortValue);

/** The next status of a firing rule. A window without calls resolves rules about calls, and keeps a silence rule firing. */
function afterFiring(condition: Condition, { shortValue, calls }: AlertReading): AlertStatus {
  if (shortValue !== null && !isBeyond(condition, shortValue)) return "ok";
  return calls === 0 && shortValue === null ? "no-data" : "firing";
}

/**
 * The next status of a rule for the given reading.
 * @param baseline the calls of the day before the window, if `needsBaseline` is true
 */
export function nextStatus(
  condition: Condition,
  status: AlertStatus,
  found: AlertReading,
  baseline: number,
): AlertStatus {
  if (status === "firing") return afterFiring(condition, found);
  const isBoth = isBeyond(condition, found.value) && isBeyond(condition, found.shortValue);
  const counted = isSilence(condition) ? baseline : found.calls;
  const isEnough = counted >= Math.max(condition.minimumCount, isSilence(condition) ? 1 : 0);
  if (isBoth) return isEnough ? "firing" : "no-data";
  return isEnough || isSilence(condition) || condition.measure === "calls" ? "ok" : "no-data";
}
