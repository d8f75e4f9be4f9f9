import { failuresUntilProbing, maxFailingMs, retryDelayMs } from "@/lib/features/delivery/back-off";
import type { Work } from "@/lib/features/delivery/work";
import { hurryDeliveries, pendingSubjects, releaseLease } from "./delivery-rows";
import { disableFailing } from "./disable";
import { type Lease, leasedWebhook } from "./lease-rows";
import type { WebhookRow } from "./rows";
import { createSender, type Sender } from "./sender";
import { takeDue, takeFeed } from "./turns";

/*
 * Delivers to one endpoint while this process holds its lease. Each turn takes what is due again and the next events of the feed:
 *
 *   events of a subject that has pending ones   wait behind those, as rows
 *   others                                      are sent, the subjects side by side, each subject's events in order
 *
 * and then writes what came of them and moves the endpoint on, in one statement. A process that ends in between has written nothing: the next
 * one sends the same events again, under the same ids. A slow subject does not hold up others: what is not answered after a moment
 * becomes a row, and is settled when its answer comes and no page is on its way. After some failures without a success one event is tried at a time, and the endpoint
 * stays where it is in the feed: a dead endpoint costs one request now and then, and a row for each.
 */
const isProbing = ({ health }: Sender) => health.failures >= failuresUntilProbing;

/** Where a turn leads: on, to a rest, or to an end because the lease is given back or lost. */
type Next = "on" | "rest" | "end";

/** Disables an endpoint that is gone or has failed for days. */
async function disableIfDead(sender: Sender): Promise<boolean> {
  const { failingSince } = sender.health;
  const isOld = failingSince !== null && Date.now() - failingSince.getTime() >= maxFailingMs;
  if (!sender.isGone && !isOld) return false;
  await disableFailing(sender.lease, sender.isGone ? "gone" : "failing");
  return true;
}

/** Tries one event: the next of the feed that can be sent, else the pending one that is due first. */
async function probe(work: Work<Lease>, sender: Sender, row: WebhookRow): Promise<Next> {
  if (row.dueAt !== null && row.dueAt > new Date()) {
    await releaseLease(work.lease, row.dueAt);
    return "end";
  }
  const before = sender.tried;
  const isTried = () => sender.tried > before || sender.isLost || work.isStopping();
  while (!isTried() && (await takeFeed(work, sender, row)));
  if (!isTried()) await takeDue(sender, row, true);
  if (!isProbing(sender)) await hurryDeliveries(work.lease);
  return "on";
}

async function takeTurn(work: Work<Lease>, sender: Sender): Promise<Next> {
  const row = await leasedWebhook(work.lease);
  if (!row || sender.isLost) return "end";
  sender.health = { failingSince: row.failingSince, failures: row.failures };
  if (isProbing(sender)) {
    if ((await probe(work, sender, row)) === "end") return "end";
  } else {
    const isDue = await takeDue(sender, row, false);
    const isFed = await takeFeed(work, sender, row);
    if (!isDue && !isFed) return (await work.linger(row)) ? "on" : "rest";
  }
  if (sender.isLost || (await disableIfDead(sender))) return "end";
  if (!isProbing(sender)) return "on";
  const delayMs = retryDelayMs(sender.health.failures - failuresUntilProbing + 1);
  await Promise.all(sender.late.values());
  await releaseLease(work.lease, new Date(Date.now() + delayMs));
  return "end";
}

/** Delivers until nothing is left, the endpoint fails, the lease is lost or the process stops. Throws with the lease as it is. */
export async function deliver(work: Work<Lease>): Promise<void> {
  const sender = createSender(work.lease, work.isStopping);
  try {
    sender.pending = await pendingSubjects(work.lease);
    let next: Next = "on";
    while (next === "on" && !work.isStopping()) next = await takeTurn(work, sender);
    await Promise.all(sender.late.values());
    if (next !== "end") await releaseLease(work.lease, null);
  } finally {
    sender.agent?.destroy();
  }
}
