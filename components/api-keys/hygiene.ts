import { msg, t } from "@/components/texts/t";
import { serverNow } from "@/components/ui/clock";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";

const day = 86_400_000;

/** Whether an active key expires within 14 days, when each of its responses has a warning header too. */
export const endsSoon = (
  { status, validTo }: Pick<ApiKey, "status" | "validTo">,
  now = serverNow(),
) => status === "active" && Date.parse(validTo) - now < 14 * day;

/** Whether the key is suspended after a reported leak until its owner rotates it, and not because it was handed over. */
export const isLeaked = (key: Pick<ApiKey, "status" | "rotationRequired" | "handedOver">) =>
  key.rotationRequired && !key.handedOver && key.status === "suspended";

type Looked = Pick<ManagedKey, "status" | "validTo" | "createdAt" | "lastUsedAt" | "owner">;

/** The days in which a new key should have its first call. */
const firstUseDays = 7;

const daysSince = (instant: string, now: number) => (now - Date.parse(instant)) / day;

/** Whether an active key is unused: no call within a week of its creation, or none for 90 days. */
export const isUnused = (
  { status, createdAt, lastUsedAt }: Pick<ApiKey, "status" | "createdAt" | "lastUsedAt">,
  now = serverNow(),
) =>
  status === "active" &&
  (lastUsedAt === null
    ? daysSince(createdAt, now) > firstUseDays
    : daysSince(lastUsedAt, now) > 90);

/** Whether a key is expired or revoked, which is final. */
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

/** The warnings about an active key, in a word or two each. */
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
