import type { Attempt } from "@/lib/features/delivery/attempt";
import { failuresUntilProbing } from "@/lib/features/delivery/back-off";
import { type Health, healthAfter } from "@/lib/features/delivery/health";
import { agentFor } from "@/lib/features/delivery/send";
import { maxPerEndpoint, withSlot } from "@/lib/features/delivery/slots";
import { type Delivery, pendingSubjects, settleDeliveries } from "./delivery-rows";
import { type Group, groupsOf, sendGroup } from "./group";
import type { Lease } from "./lease-rows";
import { signingSecrets, type WebhookRow } from "./rows";
import { type Endpoint, sendEvent } from "./send";

/** Before the next subject is started in the place of one that does not answer. */
const patienceMs = 1500;

/** What a process knows of the endpoint that it delivers to. */
export interface Sender {
  lease: Lease;
  isStopping: () => boolean;
  health: Health;
  agent: Endpoint["agent"];
  url: string;
  /** How many pending events each subject has. */
  pending: Map<string, number>;
  /** Subjects on their way although their turn is over. */
  late: Map<string, Promise<void>>;
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

export const createSender = (lease: Lease, isStopping: () => boolean): Sender => ({
  ...{ lease, isStopping, agent: undefined, url: "" },
  ...{ health: { failingSince: null, failures: 0 }, pending: new Map(), late: new Map() },
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
function attempt(sender: Sender, to: Endpoint, item: Delivery, isHalted: () => boolean) {
  const { tenantId, webhookId } = sender.lease;
  return withSlot(tenantId, webhookId, async (): Promise<Attempt | undefined> => {
    if (isHalted()) return undefined;
    const made = await sendEvent(to, item);
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
  late?: Promise<void>;
}

/** Sends the events, the subjects side by side. A slow subject is not waited for while others are delivered. */
export async function sendAll(
  sender: Sender,
  row: WebhookRow,
  items: readonly Delivery[],
): Promise<SentGroup[]> {
  const to = destinationOf(sender, row);
  const groups: SentGroup[] = groupsOf(items);
  const isProbe = sender.health.failures >= failuresUntilProbing;
  const before = sender.delivered;
  const isHalted = () =>
    sender.isStopping() ||
    sender.isGone ||
    (!isProbe && sender.health.failures >= failuresUntilProbing);
  const sending = {
    send: (item: Delivery) => attempt(sender, to, item, isHalted),
    mayGiveUp: () => sender.health.failures < failuresUntilProbing,
  };
  const queue = groups.values();
  const lane = async () => {
    for (const group of queue) {
      const sent = sendGroup(group, sending);
      if (await isDoneInTime(sent)) continue;
      if (sender.delivered > before) group.late = sent;
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
export function settleLate(sender: Sender, group: SentGroup, recorded: number): void {
  if (!group.late) return;
  const end = group.late
    .then(() => {
      const unsent = group.left.map((item) => ({ ...item, dueAt: new Date() }));
      const outcomes = [...group.done.slice(recorded), ...unsent];
      return inTurn(sender, () => settle(sender, outcomes));
    })
    .catch(() => {
      // The rows are due again in a while, by whichever process.
      sender.isLost = true;
    })
    .finally(() => sender.late.delete(group.subject));
  sender.late.set(group.subject, end);
}
