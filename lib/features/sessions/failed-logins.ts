import type { Origin } from "@/lib/access/caller";
import { transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";

const waitMilliseconds = 2000;
const maxFailed = 1000;

interface Failed {
  tenantId: string;
  /** `by`: what was wrong, by default the password. A wrong second factor follows a correct password, or occurs in a session. */
  who: { userId: string; login: string; by?: "second-factor" };
  origin: Origin;
}

interface State {
  failed: Failed[];
  /** Sign-ins with unknown logins since the last log line. */
  unknown: number;
  dropped: number;
  timer: NodeJS.Timeout | undefined;
  /** The chain of writes, one after the other: a flush waits for pending ones. */
  written: Promise<void>;
}

const state = perProcess<State>("failed-logins", () => ({
  failed: [],
  unknown: 0,
  dropped: 0,
  timer: undefined,
  written: Promise.resolve(),
}));

/**
 * Queues a failed sign-in for the audit trail; written some time after the response, so that its timing reveals
 * nothing. The input is never stored, and unknown logins are only counted.
 */
export function noteFailedLogin(
  tenantId: string,
  who: Failed["who"] | undefined,
  origin: Origin,
): void {
  const current = state();
  if (!who) current.unknown += 1;
  else if (current.failed.length < maxFailed) current.failed.push({ tenantId, who, origin });
  else current.dropped += 1;
  current.timer ??= setTimeout(() => void flushFailedLogins(), waitMilliseconds).unref();
}

/** Writes all failed sign-ins that are queued so far. */
export function flushFailedLogins(): Promise<void> {
  const current = state();
  current.written = current.written.then(writeNoted);
  return current.written;
}

async function writeNoted(): Promise<void> {
  const current = state();
  clearTimeout(current.timer);
  const { failed, unknown, dropped } = current;
  Object.assign(current, { failed: [], unknown: 0, dropped: 0, timer: undefined });
  if (unknown + dropped > 0)
    log().info(
      { unknown, dropped },
      "sign-ins of unknown logins, and failed ones too many to record",
    );
  for (const { tenantId, who, origin } of failed) {
    const acting = {
      tenantId,
      actor: { type: "user" as const, id: who.userId, login: who.login },
      ...origin,
    };
    const fact = {
      action: who.by ? "session.second-factor-failed" : "session.login-failed",
      target: { type: "user", id: who.userId },
      result: "failure" as const,
    };
    await transaction((tx) => record(tx, acting, fact)).catch((error: unknown) =>
      log().warn({ err: error }, "a failed sign-in was not recorded"),
    );
  }
}
