import { serverNow } from "@/components/ui/clock";
import { keepInTab, readInTab } from "@/components/ui/device-storage";
import { localInput } from "@/components/ui/instant-words";
import { type Expiry, expiryPresets } from "./expiry";
import type { Limits } from "./key-rights";
import { keptUsageLimits, type UsageLimits } from "./usage-limits";

/** What was filled in for a key that is not made yet; never the key's value. */
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

/** What this tab kept over a reload, or how the form begins. */
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

/** Whether something that was filled in is kept. */
export const hasKeyDraft = (name: string): boolean => readInTab(prefix + name) !== null;

export const keepKeyDraft = (name: string, draft: KeyDraft): void =>
  void keepInTab(prefix + name, JSON.stringify(draft));

export const forgetKeyDraft = (name: string): void => void keepInTab(prefix + name, undefined);
