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

/** How many attempts are kept. */
const maxLogged = 20;

/** What becomes of an event after an attempt. `mayGiveUp` is false while the endpoint itself fails: then the event is not at fault. */
function outcomeOf(delivery: Delivery, attempt: Attempt, mayGiveUp: boolean): Delivery {
  const { isDelivered, ...logged } = attempt;
  const attempts = delivery.attempts + 1;
  const tried = { ...delivery, attempts, log: [...delivery.log, logged].slice(-maxLogged) };
  if (isDelivered) return { ...tried, state: "delivered", dueAt: null };
  if (mayGiveUp && attempts >= maxAttempts) return { ...tried, state: "failed", dueAt: null };
  const dueAt = new Date(Date.now() + retryDelayMs(attempts));
  return { ...tried, state: "pending", dueAt };
}

/** The event waits behind an earlier one of its subject. */
export const waiting = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: "pending",
  dueAt: null,
});

/** Events of one subject, which are sent one after the other. */
interface Group {
  subject: string;
  /** What came of the events so far, in order. */
  done: Delivery[];
  /** Not sent yet, or on their way. */
  left: Delivery[];
}

interface Sending {
  /** Undefined where nothing more is to be sent. */
  send: (delivery: Delivery) => Promise<Attempt | undefined>;
  mayGiveUp: () => boolean;
}

/** The events by subject, each subject's in order. */
function groupsOf(deliveries: readonly Delivery[]): Group[] {
  const groups = new Map<string, Group>();
  for (const delivery of deliveries) {
    const group = groups.get(delivery.subject) ?? { subject: delivery.subject, done: [], left: [] };
    group.left.push(delivery);
    groups.set(delivery.subject, group);
  }
  return [...groups.values()];
}

/** Sends a group until one fails: the rest waits behind it. What was not started stays in `left`. */
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

/** Before the next subject is started in the place of one that does not answer. */
const patienceMs = 1500;

/** What a process knows of the endpoint that it delivers to. */
export interface Sender {
  lease: DestinationLease;
  isStopping: () => boolean;
  health: Health;
  agent: Endpoint["agent"];
  url: string;
  /** How many pending events each subject has. */
  pending: Map<string, number>;
  /** Subjects on their way although their turn is over. */
  slow: Map<string, Promise<void>>;
  /** Tail of the write queue: settle and record run one at a time. */
  writing: Promise<unknown>;
  delivered: number;
  /** Attempts, whatever came of them. */
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
 * What reads which subjects wait and then writes rows does so only: an event that is parked behind another one, while that one is settled,
 * would wait for ever.
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

/** Sends one event and notes what that says of the endpoint; undefined where nothing more is to be sent. */
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

/** Whether the promise ends before the patience does. */
async function isDoneInTime(sent: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  const isDone = await Promise.race([sent.then(() => true), patience]);
  clearTimeout(timer);
  return isDone;
}

/** A group, and its end where it is still on its way. */
export interface SentGroup extends Group {
  slow?: Promise<void>;
}

/** Sends the events, the subjects side by side. A slow subject is not waited for while others are delivered. */
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

/** Writes what came of events that have a row, and learns which subjects still wait. */
export async function settle(sender: Sender, outcomes: readonly Delivery[]): Promise<void> {
  if (outcomes.length === 0 || sender.isLost) return;
  if (await settleDeliveries(sender.lease, sender.health, outcomes))
    sender.pending = await pendingSubjects(sender.lease);
  else sender.isLost = true;
}

/** Settles a group once its answers come; `recorded` of its outcomes are written already. */
export function settleSlow(sender: Sender, group: SentGroup, recorded: number): void {
  if (!group.slow) return;
  const end = group.slow
    .then(() => {
      const unsent = group.left.map((delivery) => ({ ...delivery, dueAt: new Date() }));
      const outcomes = [...group.done.slice(recorded), ...unsent];
      return inTurn(sender, () => settle(sender, outcomes));
    })
    .catch(() => {
      // The rows are due again in a while, by whichever process.
      sender.isLost = true;
    })
    .finally(() => sender.slow.delete(group.subject));
  sender.slow.set(group.subject, end);
}
