import { failuresUntilProbing } from "@/lib/features/delivery/back-off";
import { isBefore, type Place, type Work } from "@/lib/features/delivery/work";
import { matchesFilter } from "@/lib/features/events/filter";
import { type Delivery, dueDeliveries, recordDeliveries } from "./delivery-rows";
import { type FeedEvent, readEvents } from "./feed";
import type { Lease } from "./lease-rows";
import { waiting } from "./outcome";
import type { WebhookRow } from "./rows";
import { inTurn, type Sender, type SentGroup, sendAll, settle, settleLate } from "./sender";

const batchSize = 100;
/** Before anything was delivered: nobody knows yet whether anything will be. */
const firstBatchSize = 10;
const maxLateSubjects = 20;
const maxPending = 10_000;
/** A row of a subject that is on its way is not tried by another process before this. */
const lateMs = 120_000;

/** Sends events that have a row. False when none is due. */
export const takeDue = (sender: Sender, row: WebhookRow, isProbe: boolean): Promise<boolean> =>
  inTurn(sender, () => sendDue(sender, row, isProbe));

async function sendDue(sender: Sender, row: WebhookRow, isProbe: boolean): Promise<boolean> {
  const now = new Date();
  const mayBeDue = sender.pending.size > 0 || (row.dueAt !== null && row.dueAt <= now);
  if (!mayBeDue && !isProbe) return false;
  const due = await dueDeliveries(sender.lease, now, isProbe ? 1 : batchSize, isProbe);
  const items = due.filter(({ subject }) => !sender.late.has(subject));
  if (items.length === 0) return false;
  const groups = await sendAll(sender, row, items);
  const done = groups.flatMap((group) => {
    settleLate(sender, group, group.done.length);
    return group.done.slice();
  });
  await settle(sender, done);
  return true;
}

/** The rows of a group that was just sent for the first time. What was not started is due at once. */
function rowsOf({ done, left, late }: SentGroup, now: Date): Delivery[] {
  const [first, ...others] = left;
  if (!first) return done.slice();
  const dueAt = late ? new Date(now.getTime() + lateMs) : now;
  return [...done, { ...first, dueAt }, ...others.map(waiting)];
}

function toDelivery({ event, place, body }: FeedEvent): Delivery {
  const { id: eventId, type, subject } = event;
  return {
    eventId,
    type,
    subject,
    body,
    ...place,
    state: "pending",
    dueAt: null,
    attempts: 0,
    log: [],
  };
}

/** The events of a page that the endpoint wants; while it fails, up to the first that can be sent. */
function wanted(sender: Sender, row: WebhookRow, page: readonly FeedEvent[]) {
  const filter = { types: row.types, site: row.siteId ?? undefined };
  const isSendable = ({ event }: FeedEvent) => !sender.pending.has(event.subject);
  const isWanted = (one: FeedEvent) => matchesFilter(filter, one.event);
  const isProbe = sender.health.failures >= failuresUntilProbing;
  const first = isProbe ? page.findIndex((one) => isWanted(one) && isSendable(one)) : -1;
  const read = first === -1 ? page : page.slice(0, first + 1);
  const matching = read.filter(isWanted);
  return {
    read,
    parked: matching.filter((one) => !isSendable(one)).map(toDelivery),
    items: matching.filter(isSendable).map(toDelivery),
  };
}

function addPending(sender: Sender, rows: readonly Delivery[]): void {
  for (const { subject, state } of rows)
    if (state === "pending") sender.pending.set(subject, (sender.pending.get(subject) ?? 0) + 1);
}

const isFull = ({ pending, late }: Sender) =>
  late.size >= maxLateSubjects ||
  [...pending.values()].reduce((sum, n) => sum + n, 0) >= maxPending;

/** Sends the next events of the feed and moves the endpoint on behind them. False when there were none. */
export const takeFeed = (work: Work<Lease>, sender: Sender, row: WebhookRow): Promise<boolean> =>
  inTurn(sender, () => sendFeed(work, sender, row));

async function sendFeed(work: Work<Lease>, sender: Sender, row: WebhookRow): Promise<boolean> {
  if (isFull(sender)) return false;
  const size = sender.delivered === 0 ? firstBatchSize : batchSize;
  // Read before the page: all events up to it are in the page.
  const end = work.end();
  const page = await readEvents(sender.lease.tenantId, row, size);
  const { read, parked, items } = wanted(sender, row, page);
  const last: Place = read.at(-1)?.place ?? row;
  const isAll = page.length < size && read.length === page.length;
  const place = isAll && end && isBefore(last, end) ? end : last;
  if (!isBefore(row, place)) return false;
  const groups = await sendAll(sender, row, items);
  const now = new Date();
  const rows = [...parked, ...groups.flatMap((group) => rowsOf(group, now))];
  const recorded = groups.map(({ done }) => done.length);
  const progress = { auditSeq: place.auditSeq, eventSeq: place.eventSeq, ...sender.health };
  if (!(await recordDeliveries(sender.lease, progress, rows))) sender.isLost = true;
  Object.assign(row, { auditSeq: place.auditSeq, eventSeq: place.eventSeq });
  addPending(sender, rows);
  for (const [index, group] of groups.entries()) settleLate(sender, group, recorded[index] ?? 0);
  return read.length > 0;
}
