import { msg } from "@/components/texts/t";
import { localInstant } from "@/components/ui/instant-words";

const dayLength = 86_400_000;

export const expiryPresets = [
  { value: "7", label: msg("7 days") },
  { value: "30", label: msg("30 days") },
  { value: "90", label: msg("90 days") },
  { value: "365", label: msg("1 year") },
  { value: "custom", label: msg("Custom") },
] as const;

export type ExpiryPreset = (typeof expiryPresets)[number]["value"];

/** What the person chose: days from the moment of creation, or a local date and time. */
export interface Expiry {
  preset: ExpiryPreset;
  /** The value of a datetime-local input. */
  custom: string;
}

/** The instant that the choice means now; undefined while the custom one is incomplete. */
export function expiryInstant({ preset, custom }: Expiry, now: number): Date | undefined {
  if (preset !== "custom") return new Date(now + Number(preset) * dayLength);
  return localInstant(custom);
}
