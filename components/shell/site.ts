"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { usePortal } from "./portal";

/** /t/{tenant}/sites/{site}/{area}: the address of a page that shows one site. */
const sitePage = /^(\/t\/[^/]+\/sites\/)([^/]+)(\/[^/]+)/;

/** The site on screen: it is stored in the address, so that a link opens the same view. */
export function useSite(): string | undefined {
  const named = sitePage.exec(usePathname())?.[2];
  const asked = useSearchParams().get("site");
  return named ?? asked ?? undefined;
}

/** The display name of a site: its name, or its id when it has none or was deleted. */
export function useSiteName(): (id: string) => string {
  const { siteNames } = usePortal().view;
  return (id) => siteNames[id] ?? id;
}

/** Whether a page shows one site and cannot show all. */
export const isSitePage = (path: string) => sitePage.test(path);

/** The same place at another site. A page of one site needs one: without it, the address is unchanged. */
export function withSite(href: string, site: string | undefined): string {
  if (!site) return href;
  const page = sitePage.exec(href);
  if (page) return `${page[1]}${encodeURIComponent(site)}${page[3]}`;
  return `${href}?site=${encodeURIComponent(site)}`;
}
