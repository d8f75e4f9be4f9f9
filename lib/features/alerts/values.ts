/** What a rule compares with its threshold: calls a minute, a share of the calls, milliseconds, or missing calls. */
export const alertMeasures = [
  "calls",
  "error-rate",
  "client-error-rate",
  "latency-p50",
  "latency-p95",
  "latency-p99",
  "silence",
] as const;

export type AlertMeasure = (typeof alertMeasures)[number];

/** pending: not checked yet. no-data: fewer calls than the rule needs. */
export const alertStatuses = ["pending", "ok", "firing", "no-data"] as const;

export type AlertStatus = (typeof alertStatuses)[number];

/** The kinds of entries of a rule's history. */
export const alertEntryKinds = [
  "fired",
  "resolved",
  "acknowledged",
  "muted",
  "unmuted",
  "changed",
] as const;

/** Why a firing ended: the measure recovered, there were no more calls, or the rule was changed. */
export const resolvedReasons = ["recovered", "no-data", "changed"] as const;

export const minWindowMinutes = 5;
export const maxWindowMinutes = 360;

/** The second window of a rule: a twelfth of the first, so that a rule resolves soon after its cause ends. */
export const shortWindowMinutes = (windowMinutes: number): number => Math.ceil(windowMinutes / 12);

/** Silence raises an alert only if there were calls on the day before. */
export const baselineMinutes = 1440;

export const maxMutedDays = 30;

/** Counts by the minute are kept for 8 days, which a test with its windows must not exceed. */
export const maxTestDays = 7;

/** The most firings that a test lists. */
export const maxListedFirings = 200;

/** The most recipients of a rule. */
export const maxRecipients = 10;

/** The most entries of a rule's history that are kept. */
export const maxEntries = 1000;

/** The highest threshold of each kind of measure. */
export function maxThreshold(measure: AlertMeasure): number {
  if (isRate(measure)) return 1;
  return measure.startsWith("latency-") ? 65_536 : 1_000_000_000;
}

export const measureNames: Record<AlertMeasure, string> = {
  calls: "Calls per minute",
  "error-rate": "Error rate (5xx)",
  "client-error-rate": "Client error rate (4xx)",
  "latency-p50": "Latency p50",
  "latency-p95": "Latency p95",
  "latency-p99": "Latency p99",
  silence: "Silence",
};

export const isRate = (measure: AlertMeasure): boolean => measure.endsWith("-rate");

const rounded = (value: number) => Number(value.toPrecision(3)).toLocaleString("en");

/** A value of a measure with its unit. */
export function valueText(measure: AlertMeasure, value: number | null): string {
  if (value === null) return "no data";
  if (isRate(measure)) return `${rounded(value * 100)} %`;
  return measure.startsWith("latency-") ? `${rounded(value)} ms` : `${rounded(value)} calls/min`;
}
