import { type CallError, isGatehouseError } from "./errors.js";

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** For a longer Retry-After the call fails, and the caller decides. */
const maxRetryAfterSeconds = 60;
/** The minimum wait for a first attempt that is still running. */
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

/** Doubles with every attempt; half of it is random, so that clients that failed together do not retry together. */
const backOffMs = (attempt: number) =>
  Math.min(maxDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + Math.random() / 2);

/**
 * Milliseconds until the next attempt; undefined when another one cannot succeed, or could repeat
 * an effect: after a network failure the outcome is unknown.
 */
export function retryDelayMs(
  { code, status, retryAfterSeconds = 0 }: CallError,
  attempt: number,
  mayRepeat: boolean,
): number | undefined {
  // An attempt whose response was lost is still running: the next one gets its result.
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

/** Repeats an attempt after temporary failures. */
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
