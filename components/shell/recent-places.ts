/** Where the palette led lately, in this tab: names of people are forgotten at sign-out. */
export interface RecentPlace {
  href: string;
  label: string;
}

const max = 5;
const nameOf = (tenant: string, userId: string) => `gatehouse.recent.${tenant}.${userId}`;

const isPlace = (value: unknown): value is RecentPlace => {
  const { href, label } = (value ?? {}) as Partial<RecentPlace>;
  return typeof href === "string" && /^\/(?!\/)/.test(href) && typeof label === "string";
};

export function readRecent(tenant: string, userId: string): RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(nameOf(tenant, userId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPlace).slice(0, max) : [];
  } catch {
    // A browser that keeps nothing, or something else under this name: nothing was recent.
    return [];
  }
}

export function keepRecent(tenant: string, userId: string, place: RecentPlace): void {
  const others = readRecent(tenant, userId).filter(({ href }) => href !== place.href);
  try {
    const next = JSON.stringify([place, ...others].slice(0, max));
    sessionStorage.setItem(nameOf(tenant, userId), next);
  } catch {
    // Nothing is recent then.
  }
}
