import { setTimeout as pause } from "node:timers/promises";
import { log } from "@/lib/protocol/log";
import { storeFailure } from "./failures";

/** How long a start waits for an unavailable store: both may have been started together, or the store may be in a failover. */
const awayMilliseconds = 60_000;
/** And at least this many attempts, because a process without CPU time for a while has not waited. */
const minTries = 20;
const pauseMilliseconds = 250;
const loggedAgainMilliseconds = 30_000;

interface Patience {
  /** Without it, what still fails after a minute is thrown. */
  isEndless?: boolean;
}

/**
 * Runs a start's work on the store, again while the store is unavailable, full, read-only or slow. Any other failure, such as a wrong
 * password or address, is thrown at once.
 */
export async function patiently<T>(
  work: () => Promise<T>,
  { isEndless = false }: Patience = {},
): Promise<T> {
  const givenUpAt = performance.now() + awayMilliseconds;
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const failure = storeFailure(error);
      // A migration that gets no lock has already waited long enough.
      if (failure === undefined || (failure === "busy" && !isEndless)) throw error;
      const now = performance.now();
      if (!isEndless && attempt >= minTries && now > givenUpAt) throw error;
      if (now - loggedAt > loggedAgainMilliseconds) {
        log().warn({ err: error, failure }, "waiting for the store");
        loggedAt = now;
      }
      await pause(pauseMilliseconds);
    }
  }
}
