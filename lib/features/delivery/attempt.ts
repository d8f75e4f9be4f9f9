import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery-attempt";
import { log } from "@/lib/protocol/log";
import { ForbiddenAddress } from "./resolve";

/** From the lookup of the name to the end of the response. */
export const maxSendMs = 10_000;

export type Attempt = DeliveryAttempt & { isDelivered: boolean };

/**
 * Why there is no response, in words that say nothing of the network behind the service: a name that only the operator's name server
 * knows fails as one that leads nowhere does. The log tells the operator which it was.
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

/** Does the work once and notes when it began, how long it took and what came of it. Never throws. */
export async function attempted(
  work: () => Promise<Partial<Attempt>>,
  inWords = problemOf,
): Promise<Attempt> {
  const at = new Date().toISOString();
  const since = performance.now();
  const outcome = await work().catch((error: unknown) => ({ problem: inWords(error) }));
  const durationMs = Math.round(performance.now() - since);
  return { at, durationMs, isDelivered: false, ...outcome };
}
