import { number, t, translated } from "@/components/texts/t";
import type { Alert } from "@/lib/features/alerts/contract";
import { type AlertMeasure, isRate, measureNames } from "@/lib/features/alerts/values";
import { durationSeconds } from "@/lib/protocol/durations";

/** PT1H30M is "1 h 30 min". */
export function windowText(window: string): string {
  const minutes = Math.round((durationSeconds(window) ?? 0) / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}

const rounded = (value: number) => number(Number(value.toPrecision(3)));

/** A value of a measure with its unit. */
export function valueWords(measure: AlertMeasure, value: number | null): string {
  if (value === null) return t("no data");
  if (isRate(measure)) return `${rounded(value * 100)} %`;
  return measure.startsWith("latency-")
    ? `${rounded(value)} ms`
    : t("{count} calls/min", { count: rounded(value) });
}

/** The condition on which a rule fires, in one line. */
export function conditionText({ measure, threshold, window }: Alert): string {
  const values = { limit: valueWords(measure, threshold), window: windowText(window) };
  return measure === "silence"
    ? t("At most {limit} over {window}", values)
    : t("{measure} above {limit} over {window}", {
        ...values,
        measure: translated(measureNames[measure]),
      });
}

/** The calls that a rule covers, in one line. */
export function filterText({ site, domain, endpoint, apiKey }: Alert["filter"]): string {
  const parts = [
    endpoint ?? "",
    site ? t("site {site}", { site }) : "",
    domain ? t("domain {domain}", { domain }) : "",
    apiKey ? t("key {apiKey}", { apiKey }) : "",
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : t("all calls");
}

export const isMuted = ({ mutedUntil }: Pick<Alert, "mutedUntil">): boolean => mutedUntil !== null;

const order = { firing: 0, "no-data": 1, pending: 2, ok: 3 };

/** Firing rules first, unacknowledged ones before the others. */
export function byUrgency(a: Alert, b: Alert): number {
  const rank = ({ state, mutedUntil }: Alert) =>
    order[state.status] * 4 + (state.acknowledgedAt ? 1 : 0) + (mutedUntil ? 2 : 0);
  return rank(a) - rank(b) || a.name.localeCompare(b.name);
}
