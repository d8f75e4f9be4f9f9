import { t } from "@/components/texts/t";

/** From one instant to another, each in words such as "Mon 23 Nov, 20:00 CET": a day and zone that both share appear once. */
export function rangeWords(start: string, end: string): string {
  const day = /^.*, /.exec(start)?.[0] ?? "";
  const zone = / [A-Z]\S*$/.exec(start)?.[0] ?? "";
  const isOneZone = zone !== "" && end.endsWith(zone);
  const from = isOneZone ? start.slice(0, -zone.length) : start;
  const until = end.startsWith(day) && (isOneZone || zone === "") ? end.slice(day.length) : end;
  return t("{from} to {until}", { from, until });
}
