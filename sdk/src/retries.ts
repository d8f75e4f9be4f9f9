import { type CallError, isGatehouseError } from "./errors.js";

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** A server that asks for more is not waited for: the caller decides. */
const maxRetryAfterSeconds = 60;
/** Waits at least this long for a first attempt that still runs. */
const inFlightMs = 1000;

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Doubles with every attempt; half of it is random, so that clients that failed together do not return together. */
const backOffMs = (attempt: number) =>
  Math.min(maxDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + Math.random() / 2);

/**
 * Milliseconds until the next attempt; undefined where another one would not help, or where it could do something twice:
 * a network failure says nothing about what was done.
 */
export function retryDelayMs(
  { code, status, retryAfterSeconds = 0 }: CallError,
  attempt: number,
  mayRepeat: boolean,
): number | undefined {
  // An attempt whose answer was lost is still being done: the next one is answered with what it did.
  if (code === "idempotency.in-flight") return Math.max(backOffMs(attempt), inFlightMs);
  const isUnknown = status === 0 || (status >= 502 && status <= 504);
  if (status !== 429 && !isUnknown) return undefined;
  if (isUnknown && !mayRepeat) return undefined;
  if (retryAfterSeconds > maxRetryAfterSeconds) return undefined;
  return Math.max(backOffMs(attempt), retryAfterSeconds * 1000 + Math.random() * firstDelayMs);
}

interface Retrying {
  maxRetries: number;
  mayRepeat: boolean;
  signal?: AbortSignal | undefined;
}

/** Repeats an attempt that failed for a while. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { maxRetries, mayRepeat, signal }: Retrying,
): Promise<Result> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isGatehouseError(error) || tried >= maxRetries) throw error;
      const delay = retryDelayMs(error, tried, mayRepeat);
      if (delay === undefined) throw error;
      await pause(delay, signal);
    }
  }
}
