/** What is known of a session. Times are milliseconds of this browser's clock. */
export interface SessionState {
  /** When it ends however much it is used. */
  endsAt: number;
  lengthMs: number;
  /** When it was used last, and how long it may rest. */
  usedAt: number;
  idleMs: number | undefined;
}

export interface SessionWarning {
  /** `end`: using it does not help; `idle`: it ends unless it is used. */
  kind: "end" | "idle";
  at: number;
}

const longestNoticeMs = 5 * 60_000;

/** How long before its end a time is warned of: five minutes, of a shorter one a tenth. */
export const noticeMs = (lengthMs: number): number => Math.min(longestNoticeMs, lengthMs / 10);

/** What is to be said now, and when that changes by itself. */
export function warningOf(
  { endsAt, lengthMs, usedAt, idleMs = Number.POSITIVE_INFINITY }: SessionState,
  now: number,
): { warning: SessionWarning | undefined; changesAt: number | undefined } {
  const idleAt = usedAt + idleMs;
  const isOver = now >= Math.min(endsAt, idleAt);
  if (isOver) return { warning: undefined, changesAt: undefined };
  const endFrom = endsAt - noticeMs(lengthMs);
  if (now >= endFrom) return { warning: { kind: "end", at: endsAt }, changesAt: endsAt };
  if (idleAt >= endsAt) return { warning: undefined, changesAt: endFrom };
  const idleFrom = idleAt - noticeMs(idleMs);
  if (now >= idleFrom)
    return { warning: { kind: "idle", at: idleAt }, changesAt: Math.min(idleAt, endFrom) };
  return { warning: undefined, changesAt: Math.min(endFrom, idleFrom) };
}
