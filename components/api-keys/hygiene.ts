import { msg, t } from "@/components/texts/t";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";

const day = 86_400_000;

/** Whether a key that works ends within 14 days, when every answer to it says so too. */
export const endsSoon = (
  { status, validTo }: Pick<ApiKey, "status" | "validTo">,
  now = Date.now(),
) => status === "active" && Date.parse(validTo) - now < 14 * day;

/** Whether strangers know the secret: the key is suspended until its owner rotates it. One that was handed over awaits that, too. */
export const isLeaked = (key: Pick<ApiKey, "status" | "rotationRequired" | "handedOver">) =>
  key.rotationRequired && !key.handedOver && key.status === "suspended";

type Looked = Pick<ManagedKey, "status" | "validTo" | "lastUsedAt" | "owner">;

const ownerStates = { invited: msg("owner invited"), deactivated: msg("owner deactivated") };

/** What should be looked at about a key that works, in a word or two each. */
export function hygieneOf(key: Looked, now: number): string[] {
  if (key.status !== "active") return [];
  const age = (instant: string) => (now - Date.parse(instant)) / day;
  return [
    ...(endsSoon(key, now) ? [t("expiring")] : []),
    ...(key.lastUsedAt === null
      ? [t("never used")]
      : age(key.lastUsedAt) > 90
        ? [t("idle 90 days")]
        : []),
    ...(key.owner.lock
      ? [t("owner locked")]
      : key.owner.state === "active"
        ? []
        : [t(ownerStates[key.owner.state])]),
  ];
}
