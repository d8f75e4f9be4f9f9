import { localTime } from "@/components/ui/chart/scale";

/** The minute as a field of local time has it: 2026-11-22T14:05, by the clocks of the zone. */
export const wallText = (at: number, zone: string): string =>
  new Date(localTime(at, zone)).toISOString().slice(0, 16);

/** The instant at which the clocks of the zone show that; of an hour that comes twice in autumn one of the two. */
export function instantOf(text: string, zone: string): Date {
  const wall = Date.parse(`${text}Z`);
  const ahead = (at: number) => localTime(at, zone) - at;
  const near = wall - ahead(wall);
  return new Date(wall - ahead(near));
}
