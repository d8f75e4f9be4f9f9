import { durationText } from "@/lib/protocol/durations";
import type { Alert, AlertEntry } from "./contract";
import type { AlertRow, EntryRow } from "./rows";
import { shortWindowMinutes } from "./values";

const iso = (at: Date | null) => at?.toISOString() ?? null;
const nothing = { value: null, shortValue: null, calls: null };

/** A rule as it is shown. */
export function toAlert(row: AlertRow, now = new Date()): Alert {
  const { alertId: id, name, measure, filter, threshold, windowMinutes, minimumCount } = row;
  const { mailTo, mutedUntil, reading, status, since, checkedTo, acknowledgedAt, acknowledgedBy } =
    row;
  return {
    ...{ id, name, measure, filter, threshold, minimumCount, mailTo },
    window: durationText(windowMinutes * 60),
    shortWindow: durationText(shortWindowMinutes(windowMinutes) * 60),
    createdAt: row.createdAt.toISOString(),
    mutedUntil: mutedUntil && mutedUntil > now ? iso(mutedUntil) : null,
    state: {
      ...{ status, since: since.toISOString(), checkedTo: iso(checkedTo) },
      ...(reading ?? nothing),
      ...{ acknowledgedAt: iso(acknowledgedAt), acknowledgedBy },
    },
  };
}

/** An entry of a history as it is shown. */
export function toEntry(row: EntryRow): AlertEntry {
  const { number, at, kind, reason, reading, threshold, until, userId } = row;
  return {
    ...{ number, at: at.toISOString(), kind, reason },
    ...(reading ?? nothing),
    ...{ threshold, until: iso(until), userId },
  };
}
