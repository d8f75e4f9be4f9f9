"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** /t/{tenant}/sites/{site}/{area}: the address of a page that shows one site. */
const sitePage = /^(\/t\/[^/]+\/sites\/)([^/]+)(\/[^/]+)/;

/** The site on screen: it lives in the address, so that a link opens the same view. */
export function useSite(): string | undefined {
  const named = sitePage.exec(usePathname())?.[2];
  const asked = useSearchParams().get("site");
  return named ?? asked ?? undefined;
}

/** Whether a page shows one site and cannot show all. */
export const isSitePage = (path: string) => sitePage.test(path);

/** The same place at another site. A page of one site needs one: without, the address stays. */
export function withSite(href: string, site: string | undefined): string {
  if (!site) return href;
  const page = sitePage.exec(href);
  if (page) return `${page[1]}${encodeURIComponent(site)}${page[3]}`;
  return `${href}?site=${encodeURIComponent(site)}`;
}
