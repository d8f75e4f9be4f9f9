import { isRejectedValue } from "@/lib/database/failures";
import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery";
import { log } from "@/lib/protocol/log";
import { ForbiddenAddress } from "./target";

/** The time limit from the DNS lookup to the end of the response. */
export const maxSendMs = 10_000;

export type Attempt = DeliveryAttempt & { isDelivered: boolean };

/** The problem when a response started but did not complete. */
export const problemOfBody = (isTimeOver: boolean): string =>
  isTimeOver
    ? `The body did not end within ${maxSendMs / 1000} s.`
    : "The connection ended before the body did.";

/**
 * Why there is no response, without details of the internal network: a private name reads the same as an unknown one. The log names
 * the difference.
 */
function problemOf(error: unknown): string {
  if (error instanceof ForbiddenAddress)
    log().warn("a delivery was not sent: its host leads to a private, local or reserved address");
  const { name, code = "" } = error as { name?: string; code?: string };
  if (name === "AbortError" || name === "TimeoutError")
    return `No response within ${maxSendMs / 1000} s.`;
  if (/^(CERT_|ERR_TLS|UNABLE_TO_)|SELF_SIGNED/.test(code))
    return "The certificate is not valid for the host.";
  if (code === "ECONNREFUSED") return "The connection was refused.";
  return "No connection, or one that ended before the response. Nothing is sent to private, local or reserved addresses.";
}

/** External text in a form the database accepts: without zero bytes and lone surrogates. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** The outcome with every text in a form the database accepts. */
const withStorableTexts = <Given extends object>(outcome: Given): Given =>
  Object.fromEntries(
    Object.entries(outcome).map(([name, value]) => [
      name,
      typeof value === "string" ? storable(value) : value,
    ]),
  ) as Given;

type Logged = { log: DeliveryAttempt[] };

const withoutResponse = ({ response: _, contentType: _type, ...attempt }: DeliveryAttempt) =>
  attempt;

/**
 * Writes the outcomes of attempts. If the database rejects a text, the responses are dropped: an attempt that is not recorded would be
 * repeated.
 */
export async function recordAttempts<Row extends Logged, Result>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await write(rows);
  } catch (error) {
    if (!isRejectedValue(error)) throw error;
    return await write(rows.map((row) => ({ ...row, log: row.log.map(withoutResponse) })));
  }
}

/** Does the work once and returns its start time, duration and outcome. Never throws. */
export async function attempted(
  work: () => Promise<Partial<Attempt>>,
  inWords = problemOf,
): Promise<Attempt> {
  const at = new Date().toISOString();
  const since = performance.now();
  const outcome = await work().catch((error: unknown) => ({ problem: inWords(error) }));
  const durationMs = Math.round(performance.now() - since);
  return { at, durationMs, isDelivered: false, ...withStorableTexts(outcome) };
}

/** Since when an endpoint has been failing, and its number of consecutive failures. */
export interface Health {
  failingSince: Date | null;
  failures: number;
}

/** The endpoint's health after one more attempt. */
export function healthAfter(health: Health, isDelivered: boolean, now: Date): Health {
  if (isDelivered) return { failingSince: null, failures: 0 };
  return { failingSince: health.failingSince ?? now, failures: health.failures + 1 };
}

/** Seconds until the next attempt after the first failure, the second and so on; the last one repeats. */
const retryDelays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200];

/** Jitter of up to a fifth in both directions, so that deliveries that failed together are not retried together. */
const jitter = 0.2;

export function retryDelayMs(failures: number, random = Math.random()): number {
  const seconds = retryDelays[Math.min(Math.max(failures, 1), retryDelays.length) - 1] ?? 0;
  return Math.round(seconds * 1000 * (1 + jitter * (2 * random - 1)));
}

/** How long an event is retried, and how long an endpoint may fail before it is disabled. */
export const maxFailingMs = 3 * 24 * 3600 * 1000;

/** An event that later ones overtook is given up after this many attempts, which takes about as long. */
export const maxAttempts = 14;

/** After this many failures and no success in between, only one event is tried at a time. */
export const failuresUntilProbing = 5;
