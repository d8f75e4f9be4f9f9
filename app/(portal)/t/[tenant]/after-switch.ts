import { addressOf, mayOpen, sitesOf } from "@/app/(portal)/portal-view";
import { places } from "@/components/shell/navigation";
import type { Caller } from "@/lib/access/caller";

interface Asked {
  /** The site on screen before the switch. */
  site: string | undefined;
  /** The page before the switch, by the end of its address in the menu. */
  page: string | undefined;
}

/**
 * Where somebody goes on to who came here from another tenant: the same page where they may open it, with the site where this tenant has
 * it; undefined where that is the home as it was asked for.
 */
export function afterSwitch(caller: Caller, { site, page }: Asked): string | undefined {
  const known = site && sitesOf(caller).includes(site) ? site : undefined;
  const query = known ? `?site=${encodeURIComponent(known)}` : "";
  const place = page ? places.find(({ path }) => path === `/${page}`) : undefined;
  const address = place && mayOpen(caller, place) ? addressOf(caller, place, known) : undefined;
  if (place && address) return place.isPerSite ? address : address + query;
  return page || site !== known ? `/t/${caller.tenantId}${query}` : undefined;
}
