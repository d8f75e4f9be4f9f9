"use client";

import { useSearchParams } from "next/navigation";

/** The site on screen: it lives in the address, so that a link opens the same view. */
export function useSite(): string | undefined {
  return useSearchParams().get("site") ?? undefined;
}

export function withSite(href: string, site: string | undefined): string {
  return site ? `${href}?site=${encodeURIComponent(site)}` : href;
}
