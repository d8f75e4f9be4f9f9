import { msg, t } from "@/components/texts/t";
import { serverNow } from "@/components/ui/clock";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";

const day = 86_400_000;

/** Whether a key that works ends within 14 days, when every answer to it says so too. */
export const endsSoon = (
  { status, validTo }: Pick<ApiKey, "status" | "validTo">,
  now = serverNow(),
) => status === "active" && Date.parse(validTo) - now < 14 * day;

/** Whether strangers know the secret: the key is suspended until its owner rotates it. One that was handed over awaits that, too. */
export const isLeaked = (key: Pick<ApiKey, "status" | "rotationRequired" | "handedOver">) =>
  key.rotationRequired && !key.handedOver && key.status === "suspended";

type Looked = Pick<ManagedKey, "status" | "validTo" | "createdAt" | "lastUsedAt" | "owner">;

/** How long a new key may wait for its first call. */
const firstUseDays = 7;

const daysSince = (instant: string, now: number) => (now - Date.parse(instant)) / day;

/** Whether nobody uses a key that works: not once within a week of its creation, or not for 90 days. */
export const isUnused = (
  { status, createdAt, lastUsedAt }: Pick<ApiKey, "status" | "createdAt" | "lastUsedAt">,
  now = serverNow(),
) =>
  status === "active" &&
  (lastUsedAt === null
    ? daysSince(createdAt, now) > firstUseDays
    : daysSince(lastUsedAt, now) > 90);

/** Whether a key works no more, and never will. */
export const hasEnded = ({ status }: Pick<ApiKey, "status">) =>
  status === "expired" || status === "revoked";

/** The groups of a list of keys; a key may be in several. */
export const keyGroups = {
  expiring: endsSoon,
  active: ({ status }: Pick<ApiKey, "status">) => status === "active",
  unused: isUnused,
  ended: hasEnded,
} as const;

export type KeyGroup = keyof typeof keyGroups;

const ownerStates = { invited: msg("owner invited"), deactivated: msg("owner deactivated") };

/** What should be looked at about a key that works, in a word or two each. */
export function hygieneOf(key: Looked, now: number): string[] {
  if (key.status !== "active") return [];
  return [
    ...(endsSoon(key, now) ? [t("expiring")] : []),
    ...(isUnused(key, now) ? [key.lastUsedAt === null ? t("never used") : t("idle 90 days")] : []),
    ...(key.owner.lock
      ? [t("owner locked")]
      : key.owner.state === "active"
        ? []
        : [t(ownerStates[key.owner.state])]),
  ];
}
