/** Seconds until the next attempt after the first failure, the second and so on; the last one repeats. */
const steps = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200];

/** Jitter of up to a fifth in both directions, so that what failed together is not retried together. */
const jitter = 0.2;

export function retryDelayMs(failures: number, random = Math.random()): number {
  const step = steps[Math.min(Math.max(failures, 1), steps.length) - 1] ?? 0;
  return Math.round(step * 1000 * (1 + jitter * (2 * random - 1)));
}

/** How long an event is retried, and how long an endpoint may fail before it is disabled. */
export const maxFailingMs = 3 * 24 * 3600 * 1000;

/** An event that others overtook is given up after this many attempts: about as long. */
export const maxAttempts = 14;

/** After this many failures and no success in between, only one event is tried at a time. */
export const failuresUntilProbing = 5;
