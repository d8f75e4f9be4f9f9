import type { ManagedKey } from "@/lib/api-keys/managing-contract";

const day = 86_400_000;

/** What should be looked at about a key that works, in a word or two each. */
export function hygieneOf(key: ManagedKey, now: number): string[] {
  if (key.status !== "active") return [];
  const age = (instant: string) => (now - Date.parse(instant)) / day;
  return [
    ...(age(key.validTo) > -14 ? ["expiring"] : []),
    ...(key.lastUsedAt === null ? ["never used"] : age(key.lastUsedAt) > 90 ? ["idle 90 days"] : []),
    ...(key.owner.lock ? ["owner locked"] : key.owner.state === "active" ? [] : [`owner ${key.owner.state}`]),
  ];
}
