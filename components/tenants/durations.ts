import { msg } from "@/components/texts/t";
import { durationSeconds, durationText } from "@/lib/protocol/durations";

const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
export const unitNames = {
  seconds: msg("seconds"),
  minutes: msg("minutes"),
  hours: msg("hours"),
  days: msg("days"),
} as const;

export type Unit = keyof typeof units;

/** An ISO 8601 duration as a whole number of the largest possible unit. */
export function countOf(text: string): { count: number; unit: Unit } {
  const seconds = durationSeconds(text) ?? 0;
  const fitting =
    (["days", "hours", "minutes"] as const).find(
      (unit) => seconds > 0 && seconds % units[unit] === 0,
    ) ?? "seconds";
  return { count: seconds / units[fitting], unit: fitting };
}

/** The count as an ISO 8601 duration. */
export const durationOf = (count: number, unit: Unit) =>
  durationText(Math.round(count * units[unit]));
