import { keepInTab, readInTab } from "@/components/ui/device-storage";

/** Where the palette led lately, in this tab: names of people are forgotten at sign-out. */
export interface RecentPlace {
  href: string;
  label: string;
}

const max = 5;
const nameOf = (tenant: string, userId: string) => `recent.${tenant}.${userId}`;

const isPlace = (value: unknown): value is RecentPlace => {
  const { href, label } = (value ?? {}) as Partial<RecentPlace>;
  return typeof href === "string" && /^\/(?!\/)/.test(href) && typeof label === "string";
};

export function readRecent(tenant: string, userId: string): RecentPlace[] {
  const kept = readInTab(nameOf(tenant, userId));
  return Array.isArray(kept) ? kept.filter(isPlace).slice(0, max) : [];
}

export function keepRecent(tenant: string, userId: string, place: RecentPlace): void {
  const others = readRecent(tenant, userId).filter(({ href }) => href !== place.href);
  keepInTab(nameOf(tenant, userId), JSON.stringify([place, ...others].slice(0, max)));
}
