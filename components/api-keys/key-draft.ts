import { msg } from "@/components/texts/t";
import { serverNow } from "@/components/ui/clock";
import { keepInTab, readInTab } from "@/components/ui/device-storage";
import { localInput, localInstant } from "@/components/ui/instant-words";
import type { Limits } from "./key-rights";
import { keptUsageLimits, type UsageLimits } from "./usage-limits";

const dayLength = 86_400_000;

export const expiryPresets = [
  { value: "7", label: msg("7 days") },
  { value: "30", label: msg("30 days") },
  { value: "90", label: msg("90 days") },
  { value: "365", label: msg("1 year") },
  { value: "custom", label: msg("Custom") },
] as const;

export type ExpiryPreset = (typeof expiryPresets)[number]["value"];

/** The chosen expiry: days from creation, or a local date and time. */
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

/** The form input for a key that is not created yet; never the key's value. */
export interface KeyDraft extends Limits, UsageLimits {
  name: string;
  expiry: Expiry;
}

const prefix = "new-key.";

/** Kept for one person and one owner of the key. */
export const keyDraftName = (tenant: string, userId: string, owner = userId) =>
  [tenant, userId, owner].join("/");

const isText = (value: unknown): value is string => typeof value === "string";
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

function readExpiry(kept: Partial<Expiry> | undefined): Expiry {
  const preset = expiryPresets.find(({ value }) => value === kept?.preset)?.value ?? "90";
  return {
    preset,
    custom: isText(kept?.custom)
      ? kept.custom
      : localInput(new Date(serverNow() + 30 * 86_400_000)),
  };
}

/** The draft that this tab kept over a reload, or the initial values. */
export function readKeyDraft(name: string): KeyDraft {
  const kept = readInTab(prefix + name) as Partial<KeyDraft> | null;
  const { expiry, permissions, sites } = kept ?? {};
  return {
    name: isText(kept?.name) ? kept.name : "",
    expiry: readExpiry(expiry),
    permissions: texts(permissions),
    sites: texts(sites),
    ...keptUsageLimits({ ...kept }),
  };
}

/** Whether a draft is stored. */
export const hasKeyDraft = (name: string): boolean => readInTab(prefix + name) !== null;

export const keepKeyDraft = (name: string, draft: KeyDraft): void =>
  void keepInTab(prefix + name, JSON.stringify(draft));

export const forgetKeyDraft = (name: string): void => void keepInTab(prefix + name, undefined);
