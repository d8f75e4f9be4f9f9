import type { Alert } from "@/lib/features/alerts/contract";
import { measureNames, valueText } from "@/lib/features/alerts/values";
import { durationSeconds } from "@/lib/protocol/durations";

/** PT1H30M is "1 h 30 min". */
export function windowText(window: string): string {
  const minutes = Math.round((durationSeconds(window) ?? 0) / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}

/** When a rule fires, in one line. */
export function conditionText({ measure, threshold, window }: Alert): string {
  const limit = valueText(measure, threshold);
  const over = `over ${windowText(window)}`;
  if (measure === "silence") return `At most ${limit} ${over}`;
  return `${measureNames[measure]} above ${limit} ${over}`;
}

/** Which calls a rule is about, in one line. */
export function filterText({ site, domain, endpoint, apiKey }: Alert["filter"]): string {
  const parts = [
    endpoint ?? "",
    site ? `site ${site}` : "",
    domain ? `domain ${domain}` : "",
    apiKey ? `key ${apiKey}` : "",
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "all calls";
}

export const isMuted = ({ mutedUntil }: Pick<Alert, "mutedUntil">): boolean => mutedUntil !== null;

const order = { firing: 0, "no-data": 1, pending: 2, ok: 3 };

/** Firing rules first, those that nobody takes care of before the others. */
export function byUrgency(a: Alert, b: Alert): number {
  const rank = ({ state, mutedUntil }: Alert) =>
    order[state.status] * 4 + (state.acknowledgedAt ? 1 : 0) + (mutedUntil ? 2 : 0);
  return rank(a) - rank(b) || a.name.localeCompare(b.name);
}
