import type { Attempt } from "@/lib/features/delivery/attempt";
import { maxAttempts, retryDelayMs } from "@/lib/features/delivery/back-off";
import type { Delivery } from "./delivery-rows";

/** How many attempts are kept. */
const maxLogged = 20;

/** What becomes of an event after an attempt. `mayGiveUp` is false while the endpoint itself fails: then the event is not at fault. */
export function outcomeOf(item: Delivery, attempt: Attempt, mayGiveUp: boolean): Delivery {
  const { isDelivered, ...logged } = attempt;
  const attempts = item.attempts + 1;
  const tried = { ...item, attempts, log: [...item.log, logged].slice(-maxLogged) };
  if (isDelivered) return { ...tried, state: "delivered", dueAt: null };
  if (mayGiveUp && attempts >= maxAttempts) return { ...tried, state: "failed", dueAt: null };
  const dueAt = new Date(Date.now() + retryDelayMs(attempts));
  return { ...tried, state: "pending", dueAt };
}

/** The event waits behind an earlier one of its subject. */
export const waiting = (item: Delivery): Delivery => ({ ...item, state: "pending", dueAt: null });
