import { perProcess } from "@/lib/protocol/per-process";
import { dayMs } from "./grains";

/** From here to the next stretch the zone's local time is UTC plus the offset. Milliseconds. */
export interface Stretch {
  from: number;
  offset: number;
}

const formats = perProcess("time-zone-formats", () => new Map<string, Intl.DateTimeFormat>());

function format(timeZone: string): Intl.DateTimeFormat {
  const found =
    formats().get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset", hourCycle: "h23" });
  formats().set(timeZone, found);
  return found;
}

function offsetAt(timeZone: string, at: number): number {
  const written = format(timeZone)
    .formatToParts(at)
    .find((part) => part.type === "timeZoneName")?.value;
  const match = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(written ?? "");
  if (!match) throw new Error(`The offset of ${timeZone} cannot be read from ${written}.`);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = match;
  return (
    (sign === "-" ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  );
}

/** The first instant after `before` that has the offset of `after`. */
function changeBetween(timeZone: string, before: number, after: number): number {
  const old = offsetAt(timeZone, before);
  let [low, high] = [before, after];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(timeZone, middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

/** The zone's offsets from one instant to another, in order. */
export function stretches(timeZone: string, from: number, to: number): Stretch[] {
  const start = Math.floor(from / 1000) * 1000;
  const found: Stretch[] = [{ from: start, offset: offsetAt(timeZone, start) }];
  if (timeZone === "UTC") return found;
  for (let at = start; at < to; at += dayMs) {
    const next = at + dayMs;
    if (offsetAt(timeZone, at) === offsetAt(timeZone, next)) continue;
    const change = changeBetween(timeZone, at, next);
    found.push({ from: change, offset: offsetAt(timeZone, change) });
  }
  return found;
}
