/*
 * Waiting requests, one queue for each network that sends them, served in turn: a client that sends many waits for others' first ones.
 *
 *     network A: a1 a2 a3      shift: a1, b1, a2, a3
 *     network B: b1            add where it is full: the newest of the network with the most is dropped
 */

export interface Waiting {
  /** The network of the client. */
  from: string;
  since: number;
}

export interface FairQueue<Item extends Waiting> {
  readonly length: number;
  /** Adds one. Returns the item that must be rejected for it, which may be itself. */
  add(item: Item): Item | undefined;
  shift(): Item | undefined;
  /** Removes the items that have waited since before an instant. */
  takeOlderThan(since: number): Item[];
}

/** Each of its lists is in order of arrival; the map is in order of turns. */
export function createFairQueue<Item extends Waiting>(maxLength: number): FairQueue<Item> {
  const lists = new Map<string, Item[]>();
  let length = 0;

  /** Removes the newest item of the network with the most. */
  const dropOne = (): Item | undefined => {
    let fullest: Item[] = [];
    for (const list of lists.values()) if (list.length > fullest.length) fullest = list;
    return remove(fullest, fullest.length - 1, 1)[0];
  };

  const remove = (list: Item[], start: number, count: number): Item[] => {
    const [from = ""] = list.map((item) => item.from);
    const removed = list.splice(start, count);
    length -= removed.length;
    if (list.length === 0) lists.delete(from);
    return removed;
  };

  return {
    get length() {
      return length;
    },
    add(item) {
      const list = lists.get(item.from) ?? [];
      lists.set(item.from, list);
      list.push(item);
      length += 1;
      return length > maxLength ? dropOne() : undefined;
    },
    shift() {
      const [list] = lists.values();
      const item = list?.[0];
      if (!list || !item) return undefined;
      remove(list, 0, 1);
      if (list.length > 0) {
        lists.delete(item.from);
        lists.set(item.from, list);
      }
      return item;
    },
    takeOlderThan(since) {
      return [...lists.values()].flatMap((list) => {
        const young = list.findIndex((item) => item.since >= since);
        return remove(list, 0, young === -1 ? list.length : young);
      });
    },
  };
}

/** The limits of one turn of the event loop, whichever is reached first. */
const maxStarts = 48;
const maxMs = 4;

/** How much work may start in a turn of the event loop. */
export interface TurnShare {
  /** Takes one of this turn's starts; false if none is left, and then calls `onNextTurn` in the next turn. */
  take(): boolean;
}

/**
 * Limits the requests that start in one turn: the rest waits for the next turn, in the queue of its class. So a turn is short, however many
 * connections there are, and a health check or a response of the store does not wait for hundreds of requests.
 */
export function createTurnShare(
  onNextTurn: () => void,
  now: () => number,
  atEndOfTurn: (run: () => void) => unknown = setImmediate,
): TurnShare {
  let starts = 0;
  let since = 0;
  let isMissed = false;
  const end = () => {
    starts = 0;
    if (!isMissed) return;
    isMissed = false;
    onNextTurn();
  };
  return {
    take() {
      if (starts === 0) {
        since = now();
        atEndOfTurn(end);
      } else if (starts >= maxStarts || now() - since > maxMs) {
        isMissed = true;
        return false;
      }
      starts += 1;
      return true;
    },
  };
}
