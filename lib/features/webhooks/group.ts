import type { Attempt } from "@/lib/features/delivery/attempt";
import type { Delivery } from "./delivery-rows";
import { outcomeOf, waiting } from "./outcome";

/** Events of one subject, which are sent one after the other. */
export interface Group {
  subject: string;
  /** What came of the events so far, in order. */
  done: Delivery[];
  /** Not sent yet, or on their way. */
  left: Delivery[];
}

interface Sending {
  /** Undefined where nothing more is to be sent. */
  send: (item: Delivery) => Promise<Attempt | undefined>;
  mayGiveUp: () => boolean;
}

/** The events by subject, each subject's in order. */
export function groupsOf(items: readonly Delivery[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const group = groups.get(item.subject) ?? { subject: item.subject, done: [], left: [] };
    group.left.push(item);
    groups.set(item.subject, group);
  }
  return [...groups.values()];
}

/** Sends a group until one fails: the rest waits behind it. What was not started stays in `left`. */
export async function sendGroup(group: Group, { send, mayGiveUp }: Sending): Promise<void> {
  for (let item = group.left[0]; item !== undefined; item = group.left[0]) {
    const made = await send(item);
    if (!made) return;
    const outcome = outcomeOf(item, made, mayGiveUp());
    const [, ...others] = group.left;
    group.done.push(outcome, ...(outcome.state === "pending" ? others.map(waiting) : []));
    group.left = outcome.state === "pending" ? [] : others;
  }
}
