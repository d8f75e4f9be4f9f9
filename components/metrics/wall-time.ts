import { localTime } from "@/components/ui/chart/scale";

const minute = 60_000;
const day = 1440 * minute;

/** The offset of the zone from UTC in ms. Exact to the second. */
const ahead = (at: number, zone: string) => {
  const start = Math.floor(at / minute) * minute;
  return localTime(start, zone) - start;
};

/** The local time of the zone at an instant, as if it were UTC. */
export const wallOf = (at: number, zone: string): number => at + ahead(at, zone);

/**
 * The instant of a local time. In the repeated hour of a DST change the first one is used; in the skipped
 * hour the instant of the change.
 */
export function instantAt(wall: number, zone: string): number {
  if (zone === "UTC") return wall;
  // No zone changes its clocks twice within two days.
  const [before, after] = [wall - ahead(wall - day, zone), wall - ahead(wall + day, zone)];
  return wallOf(after, zone) === wall && wallOf(before, zone) !== wall ? after : before;
}

/** An instant this much earlier in local time: a day back is the same time on the previous day, even across a DST change. */
export const earlier = (at: number, ms: number, zone: string): number =>
  instantAt(wallOf(at, zone) - ms, zone);

/** The minute in the format of a datetime-local input: 2026-11-22T14:05, in the zone's local time. */
export const wallText = (at: number, zone: string): string =>
  new Date(wallOf(at, zone)).toISOString().slice(0, 16);

/** The instant of the value of such an input. */
export const instantOf = (text: string, zone: string): Date =>
  new Date(instantAt(Date.parse(`${text}Z`), zone));
