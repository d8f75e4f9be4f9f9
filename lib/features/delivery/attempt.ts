import { isRejectedValue } from "@/lib/database/failures";
import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery-attempt";
import { log } from "@/lib/protocol/log";
import { ForbiddenAddress } from "./resolve";

/** From the lookup of the name to the end of the response. */
export const maxSendMs = 10_000;

export type Attempt = DeliveryAttempt & { isDelivered: boolean };

/** Why a response that began has no end. */
export const problemOfBody = (isTimeOver: boolean): string =>
  isTimeOver
    ? `The body did not end within ${maxSendMs / 1000} s.`
    : "The connection ended before the body did.";

/**
 * Why there is no response, in words that say nothing of the network behind the service: a name that only the operator's name server
 * knows fails as one that leads nowhere does. The log says which it was.
 */
export function problemOf(error: unknown): string {
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

/** A text from outside as the store takes it: without zero bytes and half characters. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** What the other end said, in texts that can be stored. */
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
 * Writes what came of attempts. Where the store rejects a text, what the other end said is dropped: that events were sent is worth more, and
 * what is not written is sent again.
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

/** Does the work once and notes when it began, how long it took and what came of it. Never throws. */
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
