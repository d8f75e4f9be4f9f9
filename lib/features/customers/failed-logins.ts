import type { Shopper } from "@/lib/access/shopper";
import { db } from "@/lib/database/open";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { noteActivity } from "./activity";

const waitMilliseconds = 2000;
const maxFailed = 1000;

interface State {
  failed: { shopper: Shopper; customerId: string }[];
  /** Sign-ins of logins that do not exist, and failed ones past the maximum that is kept. */
  unknown: number;
  dropped: number;
  timer: NodeJS.Timeout | undefined;
  /** What is written one after the other: who flushes waits for what is on its way. */
  written: Promise<void>;
}

const state = perProcess<State>("failed-customer-logins", () => ({
  failed: [],
  unknown: 0,
  dropped: 0,
  timer: undefined,
  written: Promise.resolve(),
}));

/** Remembers a failed sign-in of a customer for some time after the response, whose time must reveal nothing. What was typed is never kept. */
export function noteFailedLogin(shopper: Shopper, customerId: string | undefined): void {
  const current = state();
  if (customerId === undefined) current.unknown += 1;
  else if (current.failed.length < maxFailed) current.failed.push({ shopper, customerId });
  else current.dropped += 1;
  current.timer ??= setTimeout(() => void flushFailedShoppers(), waitMilliseconds).unref();
}

/** Writes all that was noted so far. */
export function flushFailedShoppers(): Promise<void> {
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
      "shoppers' sign-ins of unknown logins, and failed ones too many to record",
    );
  for (const { shopper, customerId } of failed) {
    await noteActivity(db(), shopper, { customerId, action: "login-failed" }).catch(
      (error: unknown) =>
        log().warn({ err: error }, "a customer's failed sign-in was not recorded"),
    );
  }
}
