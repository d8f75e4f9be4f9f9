import { addressOf, mayOpen, sitesOf } from "@/app/(portal)/portal-view";
import { places } from "@/components/shell/navigation";
import type { Caller } from "@/lib/access/caller";

interface Asked {
  /** The site on screen before the switch. */
  site: string | undefined;
  /** The last segment of the previous page's address. */
  page: string | undefined;
}

/**
 * The address to open after switching from another tenant: the same page if the caller may open it, with the same site if this tenant
 * has it. Undefined where that is the requested home page.
 */
export function afterSwitch(caller: Caller, { site, page }: Asked): string | undefined {
  const known = site && sitesOf(caller).includes(site) ? site : undefined;
  const query = known ? `?site=${encodeURIComponent(known)}` : "";
  const place = page ? places.find(({ path }) => path === `/${page}`) : undefined;
  const address = place && mayOpen(caller, place) ? addressOf(caller, place, known) : undefined;
  if (place && address) return place.isPerSite ? address : address + query;
  return page || site !== known ? `/t/${caller.tenantId}${query}` : undefined;
}
