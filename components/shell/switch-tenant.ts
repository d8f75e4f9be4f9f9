import { usePathname } from "next/navigation";
import { switchTenant } from "@/components/sign-in/sign-in-call";
import { t } from "@/components/texts/t";
import { notify } from "@/components/ui/toast";
import type { PortalView } from "./portal-view";
import { useSite } from "./site";

/** A tenant by its name, with the id that its address and calls use. */
export const tenantLabel = ({ id, name }: { id: string; name: string }) =>
  name === id ? id : `${name} (${id})`;

/** The tenants to switch to: those with a session in this browser, then the user's other tenants. */
export function otherTenants({
  tenant,
  tenants,
  tenantNames,
  otherTenants: rest,
}: PortalView): { id: string; name: string }[] {
  const signedIn = tenants
    .filter((id) => id !== tenant)
    .map((id) => ({ id, name: tenantNames[id] ?? id }));
  return [...signedIn, ...rest];
}

/** The part of the current page that another tenant may have too. */
export interface Place {
  site?: string | undefined;
  /** The page of the menu, by the end of its address, such as `users`; a page of one object counts for its list. */
  page?: string | undefined;
}

/** /t/{tenant}/{page}/... and /t/{tenant}/sites/{site}/{page}/... */
const menuPage = /^\/t\/[^/]+\/(?:sites\/[^/]+\/)?([^/]+)/;

export const pageIn = (path: string): string | undefined => menuPage.exec(path)?.[1];

export function usePlace(): Place {
  return { site: useSite(), page: pageIn(usePathname()) };
}

/**
 * The address of a switch: the tenant's home, which redirects to the same page if the user may open it there. Parts
 * that the tenant lacks are dropped.
 */
export function homeOf(tenant: string, { site, page }: Place): string {
  const asked = new URLSearchParams({ ...(site && { site }), ...(page && { page }) });
  return asked.size > 0 ? `/t/${tenant}?${asked}` : `/t/${tenant}`;
}

/** Opens another tenant; if this browser has no session there, it gets one without the sign-in form. */
export async function goToTenant(
  { tenant, tenants }: PortalView,
  to: string,
  place: Place = {},
): Promise<void> {
  const rejected = tenants.includes(to) ? undefined : await switchTenant(tenant, to);
  if (rejected)
    await notify(t("Could not switch to {to}. {detail}", { to, detail: rejected.detail }));
  else window.location.assign(homeOf(to, place));
}
