import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { portalPage } from "@/app/(portal)/portal-page";
import type { Caller } from "@/lib/access/caller";
import type { Permission } from "@/lib/protocol/permissions";

interface SitePageNeeds {
  tenant: string;
  site: string;
  /** The page's address below the site's, such as `previews`. */
  area: string;
  permission: Permission;
}

/** Renders a page about one site for the caller; 404 for a site that the tenant does not have. */
export function sitePage(
  { tenant, site, area, permission }: SitePageNeeds,
  render: (caller: Caller) => Promise<ReactNode>,
): Promise<ReactNode> {
  const path = `/t/${tenant}/sites/${site}/${area}`;
  return portalPage({ tenant, site, path, permission }, async (caller) => {
    if (caller.siteId !== site) notFound();
    return render(caller);
  });
}
