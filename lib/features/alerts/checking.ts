import { setTimeout as wait } from "node:timers/promises";
import { databaseNow } from "@/lib/database/clock";
import { tenantsWithAlerts } from "@/lib/database/global";
import { log } from "@/lib/protocol/log";
import { noteJob } from "@/lib/protocol/periodic-jobs";
import { checkDueAlerts } from "./check";

/*
 * Each process looks every few seconds for tenants with rules that are due, a page of tenants at a time, and takes those rules tenant by
 * tenant. Taking one moves its time on, so that each rule is checked once a minute however many processes there are.
 */

const lookMs = 10_000;

async function takeTurn(stopping: AbortSignal): Promise<void> {
  const isStopping = () => stopping.aborted;
  const now = await databaseNow();
  for (let after: string | undefined = ""; after !== undefined && !isStopping(); ) {
    const page: Awaited<ReturnType<typeof tenantsWithAlerts>> = await tenantsWithAlerts(after);
    for (const { tenantId, dueAt } of page)
      if (dueAt !== null && dueAt <= now && !isStopping())
        await checkDueAlerts(tenantId, {
          isStopping,
          onFailure: (error, { alertId }) =>
            log().warn({ err: error, tenantId, alertId }, "an alert was not checked"),
        });
    after = page.at(-1)?.tenantId;
  }
}

/** Checks alert rules until the result is called, which waits for the check that is running. */
export function startCheckingAlerts(): () => Promise<void> {
  const stop = new AbortController();
  const repeat = async () => {
    while (!stop.signal.aborted) {
      await takeTurn(stop.signal).then(
        () => noteJob("alerts", true),
        (error: unknown) => {
          noteJob("alerts", false);
          log().warn({ err: error }, "alerts could not be checked");
        },
      );
      await wait(lookMs, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = repeat();
  return async () => {
    stop.abort();
    await running;
  };
}
