import { type Expiry, expiryPresets, localInput } from "./expiry";
import type { Limits } from "./limit-fields";
import { keptUsageLimits, type UsageLimits } from "./usage-limits";

/** What was filled in for a key that is not made yet; never the key's value. */
export interface KeyDraft extends Limits, UsageLimits {
  name: string;
  expiry: Expiry;
}

const prefix = "gatehouse.new-key.";

/** Kept for one person and one owner of the key. */
export const keyDraftName = (tenant: string, userId: string, owner = userId) =>
  [tenant, userId, owner].join("/");

const isText = (value: unknown): value is string => typeof value === "string";
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

function readExpiry(kept: Partial<Expiry> | undefined): Expiry {
  const preset = expiryPresets.find(({ value }) => value === kept?.preset)?.value ?? "90";
  return {
    preset,
    custom: isText(kept?.custom) ? kept.custom : localInput(new Date(Date.now() + 30 * 86_400_000)),
  };
}

/** What this tab kept over a reload, or how the form begins. */
export function readKeyDraft(name: string): KeyDraft {
  let kept: Partial<KeyDraft> | null = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(prefix + name) ?? "null") as Partial<KeyDraft> | null;
  } catch {
    // A browser that keeps nothing, or something else under this name: there is no draft.
  }
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
export function hasKeyDraft(name: string): boolean {
  try {
    return sessionStorage.getItem(prefix + name) !== null;
  } catch {
    return false;
  }
}

export function keepKeyDraft(name: string, draft: KeyDraft): void {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(draft));
  } catch {
    // The draft then lives as long as the dialog.
  }
}

export function forgetKeyDraft(name: string): void {
  try {
    sessionStorage.removeItem(prefix + name);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
