import { switchTenant } from "@/components/sign-in/sign-in-call";
import { t } from "@/components/texts/t";
import { notify } from "@/components/ui/toast";
import type { PortalView } from "./portal-view";
import { withSite } from "./site";

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

/** The home of a tenant, with the site on screen, which stays where that tenant has one of this id. */
export const homeOf = (tenant: string, site: string | undefined) => withSite(`/t/${tenant}`, site);

/** Goes to the home of another tenant; where this browser has no session there, it gets one without the sign-in form. */
export async function goToTenant(
  { tenant, tenants }: PortalView,
  to: string,
  site?: string,
): Promise<void> {
  const rejected = tenants.includes(to) ? undefined : await switchTenant(tenant, to);
  if (rejected)
    await notify(t("Could not switch to {to}. {detail}", { to, detail: rejected.detail }));
  else window.location.assign(homeOf(to, site));
}
