/*
 * Decides which password hash is computed next. A hash takes 10 to 60 ms of a core and anybody may cause one, so places are shared fairly:
 *
 *     lane         places                      for
 *     management   all                         administrators
 *     consumer     all but one                 shoppers: an administrator can always sign in
 *     foreign      one, separate               hashes that an import brought, which may cost several times ours
 *
 * A group is a tenant in a lane. A free place goes to the group with the fewest running hashes, and of several to the one that was
 * served longest ago: however many hashes one tenant requests, another tenant's next one waits for at most one of each tenant. When
 * the waiting room is full, a group with few waiting hashes displaces the newest of the group with the most.
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
  /** Hashes of the management and consumer lanes together that may run at once. */
  places: number;
  /** Hashes of a lane that may wait. */
  room: number;
}

const isSame = (one: HashingGroup, other: HashingGroup) =>
  one.lane === other.lane && one.tenantId === other.tenantId;

export interface HashingQueue {
  /**
   * Calls `start` at once or later. Returns a function that removes the waiting entry, or undefined if the waiting room is full;
   * calls `giveUp` if a hash of another group displaces the entry while it waits.
   */
  enter(group: HashingGroup, start: () => void, giveUp: () => void): (() => void) | undefined;
  /** Call when a started hash has ended. */
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
  /** The entry that a new one of the group displaces; undefined while the lane has room; null if there is none to displace. */
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

/** The running hashes, and which tenants were served last. */
function openPlaces(places: number) {
  const running: HashingGroup[] = [];
  /** Tenants in the order served, the latest last, without those that have no hashes left. */
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
    /** The group with the lowest rank is served first. */
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
