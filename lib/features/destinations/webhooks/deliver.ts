import { tenantsWithWebhooks } from "@/lib/database/global";
import {
  failuresUntilProbing,
  maxFailingMs,
  retryDelayMs,
} from "@/lib/features/events/delivery/attempt";
import { type DestinationKind, isBefore, type Work } from "@/lib/features/events/delivery/lease";
import { matchesFilter } from "@/lib/features/events/event";
import {
  type Delivery,
  dueDeliveries,
  type FeedEvent,
  makePendingDue,
  pendingSubjects,
  readEvents,
  recordDeliveries,
  releaseLease,
} from "./delivery-rows";
import { disableFailing, leasedWebhook, type WebhookRow, webhookLeases } from "./rows";
import {
  createSender,
  inTurn,
  type Sender,
  type SentGroup,
  sendAll,
  settle,
  settleSlow,
  waiting,
} from "./send";

/*
 * Delivers to one endpoint while this process holds its lease. Each turn sends due pending events and the next events of the feed:
 *
 *   events of a subject with pending ones   are queued after those, as rows
 *   others                                  are sent, subjects concurrently, each subject's events in order
 *
 * and then stores the outcomes and advances the endpoint's position, in one statement. If a process ends before that, the next one sends
 * the same events again, with the same ids. A slow subject does not delay others: an event without a prompt response becomes a row, which
 * is settled when the response arrives and no page is being sent. After several failures without a success, one event at a time is tried,
 * and the position advances only past that one: a dead endpoint costs occasional requests, with one row for each.
 */
const isProbing = ({ health }: Sender) => health.failures >= failuresUntilProbing;

/** The step after a turn: another turn, a pause, or the end because the lease was released or lost. */
type Next = "on" | "rest" | "end";

/** Disables an endpoint that is gone or has failed for days. */
async function disableIfDead(sender: Sender): Promise<boolean> {
  const { failingSince } = sender.health;
  const isOld = failingSince !== null && Date.now() - failingSince.getTime() >= maxFailingMs;
  if (!sender.isGone && !isOld) return false;
  await disableFailing(sender.lease, sender.isGone ? "gone" : "failing");
  return true;
}

/** Tries one event: the next sendable one of the feed, or else the pending one that is due first. */
async function probe(work: Work, sender: Sender, row: WebhookRow): Promise<Next> {
  if (row.dueAt !== null && row.dueAt > new Date()) {
    await releaseLease(work.lease, row.dueAt);
    return "end";
  }
  const before = sender.tried;
  const isTried = () => sender.tried > before || sender.isLost || work.isStopping();
  while (!isTried() && (await takeFeed(work, sender, row)));
  if (!isTried()) await takeDue(sender, row, true);
  if (!isProbing(sender)) await makePendingDue(work.lease);
  return "on";
}

async function takeTurn(work: Work, sender: Sender): Promise<Next> {
  const row = await leasedWebhook(work.lease);
  if (!row || sender.isLost) return "end";
  sender.health = { failingSince: row.failingSince, failures: row.failures };
  if (isProbing(sender)) {
    if ((await probe(work, sender, row)) === "end") return "end";
  } else {
    const isDue = await takeDue(sender, row, false);
    const isFed = await takeFeed(work, sender, row);
    if (!isDue && !isFed) return (await work.waitForEvents(row)) ? "on" : "rest";
  }
  if (sender.isLost || (await disableIfDead(sender))) return "end";
  if (!isProbing(sender)) return "on";
  const delayMs = retryDelayMs(sender.health.failures - failuresUntilProbing + 1);
  await Promise.all(sender.slow.values());
  await releaseLease(work.lease, new Date(Date.now() + delayMs));
  return "end";
}

/** Delivers until nothing is left, the endpoint fails, the lease is lost or the process stops. When it throws, the lease is still held. */
export async function deliver(work: Work): Promise<void> {
  const sender = createSender(work.lease, work.isStopping);
  try {
    sender.pending = await pendingSubjects(work.lease);
    let next: Next = "on";
    while (next === "on" && !work.isStopping()) next = await takeTurn(work, sender);
    await Promise.all(sender.slow.values());
    if (next !== "end") await releaseLease(work.lease, null);
  } finally {
    sender.agent?.destroy();
  }
}

const batchSize = 100;
/** The batch size until the first success, as the endpoint may not work at all. */
const firstBatchSize = 10;
const maxSlowSubjects = 20;
const maxPending = 10_000;
/** How long other processes do not retry a row of a subject that is being sent. */
const slowMs = 120_000;

/** Sends pending events that have a row. False when none is due. */
const takeDue = (sender: Sender, row: WebhookRow, isProbe: boolean): Promise<boolean> =>
  inTurn(sender, () => sendDue(sender, row, isProbe));

async function sendDue(sender: Sender, row: WebhookRow, isProbe: boolean): Promise<boolean> {
  const now = new Date();
  const mayBeDue = sender.pending.size > 0 || (row.dueAt !== null && row.dueAt <= now);
  if (!mayBeDue && !isProbe) return false;
  const due = await dueDeliveries(sender.lease, now, isProbe ? 1 : batchSize, isProbe);
  const deliveries = due.filter(({ subject }) => !sender.slow.has(subject));
  if (deliveries.length === 0) return false;
  const groups = await sendAll(sender, row, deliveries);
  const done = groups.flatMap((group) => {
    settleSlow(sender, group, group.done.length);
    return group.done.slice();
  });
  await settle(sender, done);
  return true;
}

/** The rows of a group that was just sent for the first time. Events not yet started are due at once. */
function rowsOf({ done, left, slow }: SentGroup, now: Date): Delivery[] {
  const [first, ...others] = left;
  if (!first) return done.slice();
  const dueAt = slow ? new Date(now.getTime() + slowMs) : now;
  return [...done, { ...first, dueAt }, ...others.map(waiting)];
}

function toDelivery({ event, position, body }: FeedEvent): Delivery {
  const { id: eventId, type, subject } = event;
  return {
    eventId,
    type,
    subject,
    body,
    ...position,
    state: "pending",
    dueAt: null,
    attempts: 0,
    log: [],
  };
}

const filterOf = ({ types, siteId }: WebhookRow) => ({ types, site: siteId ?? undefined });

/** The events of a page that the endpoint wants; while it fails, up to the first that can be sent. */
function wanted(sender: Sender, row: WebhookRow, page: readonly FeedEvent[]) {
  const filter = filterOf(row);
  const isSendable = ({ event }: FeedEvent) => !sender.pending.has(event.subject);
  const isWanted = (one: FeedEvent) => matchesFilter(filter, one.event);
  const isProbe = sender.health.failures >= failuresUntilProbing;
  const first = isProbe ? page.findIndex((one) => isWanted(one) && isSendable(one)) : -1;
  const read = first === -1 ? page : page.slice(0, first + 1);
  const matching = read.filter(isWanted);
  return {
    read,
    parked: matching.filter((one) => !isSendable(one)).map(toDelivery),
    deliveries: matching.filter(isSendable).map(toDelivery),
  };
}

function addPending(sender: Sender, rows: readonly Delivery[]): void {
  for (const { subject, state } of rows)
    if (state === "pending") sender.pending.set(subject, (sender.pending.get(subject) ?? 0) + 1);
}

const isFull = ({ pending, slow }: Sender) =>
  slow.size >= maxSlowSubjects ||
  [...pending.values()].reduce((sum, n) => sum + n, 0) >= maxPending;

/** Sends the next events of the feed and advances the endpoint's position. False when there were none. */
const takeFeed = (work: Work, sender: Sender, row: WebhookRow): Promise<boolean> =>
  inTurn(sender, () => sendFeed(work, sender, row));

async function sendFeed(work: Work, sender: Sender, row: WebhookRow): Promise<boolean> {
  if (isFull(sender)) return false;
  const size = sender.delivered === 0 ? firstBatchSize : batchSize;
  // Read before the page, so that the page has all events up to it.
  const end = work.end();
  const page = await readEvents(sender.lease.tenantId, row, size, filterOf(row));
  const { read, parked, deliveries } = wanted(sender, row, page);
  const last = read.at(-1)?.position ?? row;
  const isAll = page.length < size && read.length === page.length;
  const position = isAll && end && isBefore(last, end) ? end : last;
  if (!isBefore(row, position)) return false;
  const groups = await sendAll(sender, row, deliveries);
  const now = new Date();
  const rows = [...parked, ...groups.flatMap((group) => rowsOf(group, now))];
  const recorded = groups.map(({ done }) => done.length);
  const progress = { auditSeq: position.auditSeq, eventSeq: position.eventSeq, ...sender.health };
  if (!(await recordDeliveries(sender.lease, progress, rows))) sender.isLost = true;
  Object.assign(row, { auditSeq: position.auditSeq, eventSeq: position.eventSeq });
  addPending(sender, rows);
  for (const [index, group] of groups.entries()) settleSlow(sender, group, recorded[index] ?? 0);
  return read.length > 0;
}

export const webhookDestinations: DestinationKind = {
  tenants: tenantsWithWebhooks,
  leases: webhookLeases,
  endOf: (end) => end,
  waitsAfter: failuresUntilProbing,
  interruptedMs: retryDelayMs,
  deliver,
};
