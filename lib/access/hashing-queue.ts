/*
 * Who computes a password hash next. Hashes cost 10 to 60 ms of a core, and anybody may cause them, so the places are shared fairly:
 *
 *     lane         places                      for
 *     management   all                         administrators
 *     consumer     all but one                 shoppers: an administrator can always sign in
 *     foreign      one, separate               hashes that an import brought, which may cost several times ours
 *
 * A group is a tenant in a lane. A free place goes to the group with the fewest running hashes, among those to the one that was served
 * longest ago: however many hashes one tenant asks for, another tenant's next one is behind at most one of each tenant. A full waiting
 * room gives a group with few waiting the place of the youngest of the group with the most.
 */

export type Lane = "management" | "consumer" | "foreign";

export interface HashingGroup {
  lane: Lane;
  tenantId: string;
}

interface Entry extends HashingGroup {
  start: () => void;
  giveUp: () => void;
}

interface Limits {
  /** Of management and consumer lanes together. */
  places: number;
  /** Hashes of a lane that may wait. */
  room: number;
}

const isSame = (one: HashingGroup, other: HashingGroup) =>
  one.lane === other.lane && one.tenantId === other.tenantId;

export interface HashingQueue {
  /**
   * Calls `start` at once or later. The result takes it out of the queue while it waits. Undefined where there is no place to wait;
   * `giveUp` is called where a waiting one has to leave for one of another group.
   */
  enter(group: HashingGroup, start: () => void, giveUp: () => void): (() => void) | undefined;
  /** One that was started has ended. */
  leave(group: HashingGroup): void;
  hasRoom(group: HashingGroup): boolean;
  running(): number;
  waiting(): number;
}

/** Waiting entries in the order of their arrival. */
function openRoom(room: number) {
  const entries: Entry[] = [];
  const count = (group: HashingGroup) => entries.filter((one) => isSame(one, group)).length;
  const remove = (entry: Entry) => {
    const index = entries.indexOf(entry);
    if (index >= 0) entries.splice(index, 1);
  };
  /** Undefined while the lane has room; the entry that has to leave for one of the group; or null where none has to. */
  const displaced = (group: HashingGroup): Entry | null | undefined => {
    const ofLane = entries.filter(({ lane }) => lane === group.lane);
    if (ofLane.length < room) return undefined;
    const counts = ofLane.map((entry) => ({ entry, size: count(entry) }));
    const maxSize = Math.max(...counts.map(({ size }) => size));
    if (maxSize <= count(group) + 1) return null;
    return counts.findLast(({ size }) => size === maxSize)?.entry ?? null;
  };
  return { entries, remove, displaced };
}

/** What runs, and which tenants were served last. */
function openPlaces(places: number) {
  const running: HashingGroup[] = [];
  /** The latest last; those with nothing to do are forgotten. */
  let served: string[] = [];
  const inLane = (lane: Lane) => running.filter((one) => one.lane === lane).length;
  return {
    running,
    isFree: (lane: Lane): boolean => {
      if (lane === "foreign") return inLane("foreign") === 0;
      if (inLane("management") + inLane("consumer") >= places) return false;
      return lane === "management" || inLane("consumer") < places - 1;
    },
    take: (group: HashingGroup, waiting: readonly HashingGroup[]) => {
      running.push(group);
      const isActive = (tenantId: string) =>
        tenantId !== group.tenantId &&
        [...running, ...waiting].some((one) => one.tenantId === tenantId);
      served = [...served.filter(isActive), group.tenantId];
    },
    /** The lower, the sooner a group is served. */
    rank: (group: HashingGroup): number =>
      running.filter((one) => isSame(one, group)).length * (served.length + 1) +
      served.indexOf(group.tenantId),
  };
}

export function createHashingQueue({ places, room }: Limits): HashingQueue {
  const { entries, remove, displaced } = openRoom(room);
  const { running, isFree, take, rank } = openPlaces(places);
  const next = (): Entry | undefined =>
    entries
      .filter(({ lane }) => isFree(lane))
      .reduce<Entry | undefined>(
        (best, entry) => (best && rank(best) <= rank(entry) ? best : entry),
        undefined,
      );
  const fill = () => {
    for (let entry = next(); entry; entry = next()) {
      remove(entry);
      take(entry, entries);
      entry.start();
    }
  };
  return {
    enter(group, start, giveUp) {
      const entry: Entry = { ...group, start, giveUp };
      const leaving = isFree(group.lane) ? undefined : displaced(group);
      if (leaving === null) return undefined;
      if (leaving) remove(leaving);
      leaving?.giveUp();
      entries.push(entry);
      fill();
      return () => remove(entry);
    },
    leave(group) {
      const index = running.findIndex((one) => isSame(one, group));
      running.splice(index, 1);
      fill();
    },
    hasRoom: (group) => isFree(group.lane) || displaced(group) !== null,
    running: () => running.length,
    waiting: () => entries.length,
  };
}
