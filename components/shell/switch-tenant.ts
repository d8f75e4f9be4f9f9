import { usePathname } from "next/navigation";
import { switchTenant } from "@/components/sign-in/sign-in-call";
import { t } from "@/components/texts/t";
import { notify } from "@/components/ui/toast";
import type { PortalView } from "./portal-view";
import { useSite } from "./site";

/** A tenant by its name, with the id that its address and calls use. */
export const tenantLabel = ({ id, name }: { id: string; name: string }) =>
  name === id ? id : `${name} (${id})`;

/** Every tenant to go to from here: those with a session in this browser, then those a switch away. */
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

/** What of the page on screen another tenant may have too. */
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
 * Where a switch leads: the home of the tenant, which leads on to the same page where the person may open it there. It drops what this
 * tenant does not have.
 */
export function homeOf(tenant: string, { site, page }: Place): string {
  const asked = new URLSearchParams({ ...(site && { site }), ...(page && { page }) });
  return asked.size > 0 ? `/t/${tenant}?${asked}` : `/t/${tenant}`;
}

/** Goes to another tenant; where this browser has no session there, it gets one without the sign-in form. */
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
