import { transactionFor } from "@/lib/database/held-transactions";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type { Alert } from "./contract";
import { addEntry, lockAlert, setAlert, toAlert } from "./rows";
import { type Asking, keyOf, recordChange } from "./service";
import { maxMutedDays } from "./values";

const dayMs = 86_400_000;

/** Acknowledges the current firing as the caller. Idempotent: a second call for the same firing adds no entry. Throws 404 and 409. */
export async function acknowledgeAlert(asking: Asking): Promise<Alert> {
  const { caller } = asking;
  return transactionFor(caller, async (tx) => {
    const row = await lockAlert(tx, keyOf(asking, "api-metric.write"));
    if (row.status !== "firing")
      throw new ApiError("alert.not-firing", `The alert is not firing: it is ${row.status}.`);
    if (row.acknowledgedAt) return toAlert(row);
    const [at, userId] = [new Date(), caller.userId];
    await addEntry(tx, row, { at, kind: "acknowledged", userId });
    const after = await setAlert(tx, row, { acknowledgedAt: at, acknowledgedBy: userId });
    await recordChange(tx, caller, row, { action: "alert.acknowledged" });
    return toAlert(after);
  });
}

/** Mutes the events of a rule until a time; null unmutes it. Setting the same time again adds no entry. Throws 400 and 404. */
export async function muteAlert(asking: Asking & { body: { until: Date | null } }): Promise<Alert> {
  const { caller } = asking;
  const { until } = asking.body;
  const at = new Date();
  const isOutOfRange =
    until && (until <= at || until.getTime() - at.getTime() > maxMutedDays * dayMs);
  if (isOutOfRange) {
    const detail = `/until must be in the future and at most ${maxMutedDays} days ahead.`;
    throw invalid([{ pointer: "/until", detail }]);
  }
  return transactionFor(caller, async (tx) => {
    const row = await lockAlert(tx, keyOf(asking, "api-metric.write"));
    const before = row.mutedUntil && row.mutedUntil > at ? row.mutedUntil : null;
    if (before?.getTime() === until?.getTime()) return toAlert(row);
    const kind = until ? "muted" : "unmuted";
    await addEntry(tx, row, { at, kind, until, userId: caller.userId });
    const after = await setAlert(tx, row, { mutedUntil: until });
    const action = until ? "alert.muted" : "alert.unmuted";
    const changes = until ? { mutedUntil: { after: until.toISOString() } } : {};
    await recordChange(tx, caller, row, { action, changes });
    return toAlert(after);
  });
}
