import {
  type Attempt,
  failuresUntilProbing,
  type Health,
  healthAfter,
  maxAttempts,
  retryDelayMs,
} from "@/lib/features/events/delivery/attempt";
import type { DestinationLease } from "@/lib/features/events/delivery/lease";
import {
  agentFor,
  type Destination,
  type SigningSecrets,
  send,
  signatureHeaders,
} from "@/lib/features/events/delivery/send";
import { maxPerEndpoint, withSlot } from "@/lib/features/events/delivery/slots";
import { type Delivery, pendingSubjects, settleDeliveries } from "./delivery-rows";
import { signingSecrets, type WebhookRow } from "./rows";

interface Endpoint extends Destination {
  secrets: SigningSecrets;
}

interface EventText {
  eventId: string;
  body: string;
}

/** Sends an event once, signed as Standard Webhooks are. Never throws. */
export const sendEvent = (to: Endpoint, { eventId, body }: EventText): Promise<Attempt> =>
  send(to, {
    method: "POST",
    headers: {
      ...signatureHeaders(to.secrets, eventId, new Date(), body),
      "content-type": "application/cloudevents+json; charset=utf-8",
      "user-agent": "Gatehouse-Webhooks/1",
    },
    body,
  });

/** The number of attempts that are stored. */
const maxLogged = 20;

/** The state of an event after an attempt. `mayGiveUp` is false while the endpoint itself fails, because the event is not the cause. */
function outcomeOf(delivery: Delivery, attempt: Attempt, mayGiveUp: boolean): Delivery {
  const { isDelivered, ...logged } = attempt;
  const attempts = delivery.attempts + 1;
  const tried = { ...delivery, attempts, log: [...delivery.log, logged].slice(-maxLogged) };
  if (isDelivered) return { ...tried, state: "delivered", dueAt: null };
  if (mayGiveUp && attempts >= maxAttempts) return { ...tried, state: "failed", dueAt: null };
  const dueAt = new Date(Date.now() + retryDelayMs(attempts));
  return { ...tried, state: "pending", dueAt };
}

/** The state of an event that waits for an earlier one of its subject. */
export const waiting = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: "pending",
  dueAt: null,
});

/** Events of one subject, which are sent one after the other. */
interface Group {
  subject: string;
  /** The outcomes so far, in order. */
  done: Delivery[];
  /** Not sent yet, or being sent. */
  left: Delivery[];
}

interface Sending {
  /** Returns undefined if nothing more should be sent. */
  send: (delivery: Delivery) => Promise<Attempt | undefined>;
  mayGiveUp: () => boolean;
}

/** Groups events by subject, in order. */
function groupsOf(deliveries: readonly Delivery[]): Group[] {
  const groups = new Map<string, Group>();
  for (const delivery of deliveries) {
    const group = groups.get(delivery.subject) ?? { subject: delivery.subject, done: [], left: [] };
    group.left.push(delivery);
    groups.set(delivery.subject, group);
  }
  return [...groups.values()];
}

/** Sends a group until one event fails: the rest waits for it. Events not yet started stay in `left`. */
async function sendGroup(group: Group, { send, mayGiveUp }: Sending): Promise<void> {
  for (let delivery = group.left[0]; delivery !== undefined; delivery = group.left[0]) {
    const made = await send(delivery);
    if (!made) return;
    const outcome = outcomeOf(delivery, made, mayGiveUp());
    const [, ...others] = group.left;
    group.done.push(outcome, ...(outcome.state === "pending" ? others.map(waiting) : []));
    group.left = outcome.state === "pending" ? [] : others;
  }
}

/** How long to wait for a response before the next subject is started. */
const patienceMs = 1500;

/** The state of an endpoint in the process that delivers to it. */
export interface Sender {
  lease: DestinationLease;
  isStopping: () => boolean;
  health: Health;
  agent: Endpoint["agent"];
  url: string;
  /** The number of pending events by subject. */
  pending: Map<string, number>;
  /** Subjects that are still being sent after their turn. */
  slow: Map<string, Promise<void>>;
  /** Tail of the write queue: settle and record run one at a time. */
  writing: Promise<unknown>;
  delivered: number;
  /** Attempts, successful or not. */
  tried: number;
  /** It answered 410. */
  isGone: boolean;
  /** Another process has the lease. */
  isLost: boolean;
}

export const createSender = (lease: DestinationLease, isStopping: () => boolean): Sender => ({
  ...{ lease, isStopping, agent: undefined, url: "" },
  ...{ health: { failingSince: null, failures: 0 }, pending: new Map(), slow: new Map() },
  ...{ writing: Promise.resolve(), delivered: 0, tried: 0, isGone: false, isLost: false },
});

/**
 * Runs work that reads the waiting subjects and then writes rows, one at a time: an event that is queued after another one while that one
 * is settled would wait forever.
 */
export function inTurn<Result>(sender: Sender, work: () => Promise<Result>): Promise<Result> {
  const done = sender.writing.then(work);
  sender.writing = done.catch(() => undefined);
  return done;
}

function destinationOf(sender: Sender, row: WebhookRow): Endpoint {
  if (sender.url !== row.url) {
    sender.agent?.destroy();
    Object.assign(sender, { url: row.url, agent: agentFor(row.url, maxPerEndpoint) });
  }
  return { url: row.url, secrets: signingSecrets(row, new Date()), agent: sender.agent };
}

/** Sends one event and updates the endpoint's health; returns undefined if nothing more should be sent. */
function attempt(sender: Sender, to: Endpoint, delivery: Delivery, isHalted: () => boolean) {
  const { tenantId, destinationId } = sender.lease;
  return withSlot(tenantId, destinationId, async (): Promise<Attempt | undefined> => {
    if (isHalted()) return undefined;
    const made = await sendEvent(to, delivery);
    sender.health = healthAfter(sender.health, made.isDelivered, new Date());
    sender.tried += 1;
    if (made.isDelivered) sender.delivered += 1;
    if (made.status === 410) sender.isGone = true;
    return made;
  });
}

/** Whether the promise settles within `patienceMs`. */
async function isDoneInTime(sent: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  const isDone = await Promise.race([sent.then(() => true), patience]);
  clearTimeout(timer);
  return isDone;
}

/** A group, with a promise of its end if it is still being sent. */
export interface SentGroup extends Group {
  slow?: Promise<void>;
}

/** Sends the events of different subjects concurrently. Does not wait for a slow subject while others are delivered. */
export async function sendAll(
  sender: Sender,
  row: WebhookRow,
  deliveries: readonly Delivery[],
): Promise<SentGroup[]> {
  const to = destinationOf(sender, row);
  const groups: SentGroup[] = groupsOf(deliveries);
  const isProbe = sender.health.failures >= failuresUntilProbing;
  const before = sender.delivered;
  const isHalted = () =>
    sender.isStopping() ||
    sender.isGone ||
    (!isProbe && sender.health.failures >= failuresUntilProbing);
  const sending = {
    send: (delivery: Delivery) => attempt(sender, to, delivery, isHalted),
    mayGiveUp: () => sender.health.failures < failuresUntilProbing,
  };
  const queue = groups.values();
  const lane = async () => {
    for (const group of queue) {
      const sent = sendGroup(group, sending);
      if (await isDoneInTime(sent)) continue;
      if (sender.delivered > before) group.slow = sent;
      else await sent;
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxPerEndpoint, groups.length) }, lane));
  return groups;
}

/** Stores the outcomes of events that have a row, and reloads which subjects still wait. */
export async function settle(sender: Sender, outcomes: readonly Delivery[]): Promise<void> {
  if (outcomes.length === 0 || sender.isLost) return;
  if (await settleDeliveries(sender.lease, sender.health, outcomes))
    sender.pending = await pendingSubjects(sender.lease);
  else sender.isLost = true;
}

/** Settles a group once its responses arrive; the first `recorded` outcomes are already stored. */
export function settleSlow(sender: Sender, group: SentGroup, recorded: number): void {
  if (!group.slow) return;
  const end = group.slow
    .then(() => {
      const unsent = group.left.map((delivery) => ({ ...delivery, dueAt: new Date() }));
      const outcomes = [...group.done.slice(recorded), ...unsent];
      return inTurn(sender, () => settle(sender, outcomes));
    })
    .catch(() => {
      // The rows become due again later, for any process.
      sender.isLost = true;
    })
    .finally(() => sender.slow.delete(group.subject));
  sender.slow.set(group.subject, end);
}
