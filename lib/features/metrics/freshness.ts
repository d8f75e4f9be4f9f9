import { perProcess } from "@/lib/protocol/per-process";

type PendingSince = () => number | undefined;

const state = perProcess("metrics-freshness", (): { pendingSince?: PendingSince } => ({}));

/** The recorder says when its oldest counts that are not stored yet began, in milliseconds since the epoch. */
export function reportPendingSince(pendingSince: PendingSince): void {
  state().pendingSince = pendingSince;
}

/** Everything this process counted before this instant is in the store. */
export const completeUntil = (): number => state().pendingSince?.() ?? Date.now();
