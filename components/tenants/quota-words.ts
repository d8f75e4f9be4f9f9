import { number } from "@/components/texts/t";
import type { Quota } from "@/lib/features/quotas/contract";
import { nearShare } from "@/lib/features/quotas/values";

const mib = 1024 * 1024;

/** An amount of a quota, as people read it. */
export function amount(value: number, unit: Quota["unit"]): string {
  if (unit === "count") return number(value);
  return `${number(value / mib, { maximumFractionDigits: 1 })} MiB`;
}

/** How much of the limit is used, from 0 to 1. */
export const shareOf = ({ used, limit }: Pick<Quota, "used" | "limit">): number =>
  limit === 0 ? 1 : Math.min(1, used / limit);

export const isNearEnd = (quota: Pick<Quota, "used" | "limit">): boolean =>
  shareOf(quota) >= nearShare;
