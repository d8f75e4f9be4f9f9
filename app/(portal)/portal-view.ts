import { cookies } from "next/headers";
import type { CallableOperation } from "@/components/api-keys/what-it-can-call";
import { type ReadersZone, sidebarCookie, zoneCookie } from "@/components/shell/cookies";
import { places } from "@/components/shell/navigation";
import type { NavigationEntry, PortalView } from "@/components/shell/portal-view";
import { t, translated } from "@/components/texts/t";
import { columnsCookie } from "@/components/ui/table/columns-cookie";
import { isMailOn, isSignUpOpen } from "@/lib/access/authorization";
import { type Caller, permissionScope, siteOfScope } from "@/lib/access/caller";
import { lifetimeSeconds } from "@/lib/access/lifetimes";
import { permissionsOf, roles, rolesWith } from "@/lib/access/roles";
import { policyOf, siteNamesOf } from "@/lib/access/sites";
import { operations } from "@/lib/catalogue/operations";
import { signOutProviderOf } from "@/lib/features/connections/sign-out-there";
import { portalTenants } from "@/lib/features/portal/portal";
import { listOwnTenants } from "@/lib/features/sessions/switch";
import { getPreferences } from "@/lib/features/users/rows";
import type { Preferences } from "@/lib/protocol/documents/preferences";
import { expand, type Permission, permissions } from "@/lib/protocol/permissions";
import { publicUrl } from "@/lib/protocol/settings";
import { isNamedTimeZone } from "@/lib/protocol/time-zones";

function allRoles({ roles: held }: Caller): string[] {
  return [...held.roleIds, ...Object.values(held.sites).flatMap((site) => site.roleIds)];
}

/** Role ids with their names, for pages that show roles. */
export function roleNames(): Record<string, string> {
  return Object.fromEntries(Object.entries(roles).map(([id, role]) => [id, translated(role.name)]));
}

/** The names of the roles that give a permission, the narrowest first. */
export function roleNamesWith(permission: Permission): string[] {
  return rolesWith(permission).map((id) => translated(roles[id].name));
}

type Place = (typeof places)[number];

/** The address of a place for this caller: a page of one site opens at the given site, or at the first permitted one. */
export function addressOf(
  caller: Caller,
  { path, isPerSite, permission }: Place,
  wanted?: string,
): string | undefined {
  if (!isPerSite) return `/t/${caller.tenantId}${path}`;
  const known = wanted !== undefined && caller.siteIds.has(wanted) ? [wanted] : [];
  const site = [...known, ...[...caller.siteIds].sort()].find(
    (siteId) => !permission || permissionScope({ ...caller, siteId }, permission),
  );
  return site && `/t/${caller.tenantId}/sites/${site}${path}`;
}

/** The permissions of any role that the caller has anywhere. */
export const heldBy = (caller: Caller) =>
  new Set(allRoles(caller).flatMap((id) => [...permissionsOf(id)]));

/** Whether the caller may open a place; a permission held at any site opens its page. */
export function mayOpen(caller: Caller, { permission, isTenantWide }: Place): boolean {
  if (!permission) return true;
  return isTenantWide
    ? permissionScope(caller, permission) === "tenant"
    : heldBy(caller).has(permission);
}

/** The sites that the caller may choose: all for a caller with a role in the tenant, otherwise those where the caller has a role. */
export function sitesOf({ roles, siteIds }: Caller): string[] {
  return (roles.roleIds.length > 0 ? [...siteIds] : Object.keys(roles.sites)).sort();
}

/** The only site of a caller who has roles at one site and none in the tenant: there is nothing to choose. */
function onlySiteOf(caller: Caller): string | undefined {
  const [first, ...others] = sitesOf(caller);
  return caller.roles.roleIds.length === 0 && others.length === 0 ? first : undefined;
}

const mostTenantsInMenu = 50;

/** The entries of the menu for the places that the caller may open. */
function navigationOf(
  caller: Caller,
  open: readonly Place[],
  held: ReadonlySet<Permission>,
): NavigationEntry[] {
  const own = open.flatMap((place) => {
    const href = addressOf(caller, place);
    const { key, group, label, letter, create } = place;
    const may = create && held.has(create.permission);
    return href
      ? [{ key, group, label: t(label), letter, href, ...(may && { create: t(create.label) }) }]
      : [];
  });
  const platform = { group: "platform", label: t("Tenants"), letter: "n" } as const;
  return caller.isSystem
    ? [...own, { key: "tenants", href: "/platform/tenants", ...platform }]
    : own;
}

/** When the caller's session ends, and how long sessions of this tenant last. */
async function sessionOf({ tenantId, expiresAt, idleSeconds }: Caller) {
  const { sessionAbsoluteSeconds } = await policyOf(tenantId);
  return {
    endsAt: expiresAt.toISOString(),
    lengthSeconds: sessionAbsoluteSeconds ?? lifetimeSeconds("SESSION_ABSOLUTE"),
    idleSeconds,
    now: new Date().toISOString(),
  };
}

/** The user's preferred time zone, else that of the browser; UTC where neither is valid. */
export async function readersZone({ timeZone }: Preferences): Promise<ReadersZone> {
  const jar = await cookies();
  const named = [timeZone, jar.get(zoneCookie)?.value].find(
    (name) => name && isNamedTimeZone(name),
  );
  return { name: named ?? "UTC", isKnown: named !== undefined };
}

/** The data of the portal's shell for this caller. */
export async function viewOf(caller: Caller): Promise<PortalView> {
  const [tenants, own, preferences, jar, session, provider, siteNames] = await Promise.all([
    portalTenants(),
    listOwnTenants(caller, { limit: mostTenantsInMenu }),
    getPreferences(caller),
    cookies(),
    sessionOf(caller),
    signOutProviderOf(caller),
    siteNamesOf(caller.tenantId),
  ]);
  const tenantNames = Object.fromEntries(own.items.map(({ id, name }) => [id, name]));
  const held = heldBy(caller);
  const open = places.filter((place) => mayOpen(caller, place));
  const closed = places.flatMap((place) =>
    place.permission && !open.includes(place) ? [{ ...place, permission: place.permission }] : [],
  );
  return {
    tenant: caller.tenantId,
    tenantName: tenantNames[caller.tenantId] ?? caller.tenantId,
    tenantNames,
    isSidebarCollapsed: jar.get(sidebarCookie)?.value === "icons",
    columns: jar.get(columnsCookie)?.value ?? "",
    kind: own.items.find(({ id }) => id === caller.tenantId)?.kind,
    origin: publicUrl(),
    zone: await readersZone(preferences),
    isSignUpOpen: isSignUpOpen(),
    isMailOn: isMailOn(),
    user: { id: caller.userId, login: caller.login, name: caller.name },
    sites: sitesOf(caller),
    siteNames,
    onlySite: onlySiteOf(caller),
    tenants,
    otherTenants: own.items
      .filter(({ id }) => !tenants.includes(id))
      .map(({ id, name }) => ({ id, name })),
    session,
    provider,
    preferences,
    permissions: [...held].sort(),
    navigation: navigationOf(caller, open, held),
    locked: closed.map(({ key, label, permission }) => ({
      key,
      label: t(label),
      permission,
      role: roleNamesWith(permission)[0] ?? "",
    })),
  };
}

/** Whether any of the caller's roles, in the tenant or at a site, gives this permission. */
function isAllowed(caller: Caller, permission: Permission | "any-role" | undefined): boolean {
  if (permission === undefined || permission === "any-role") return true;
  return (
    permissionScope(caller, permission) !== undefined ||
    Object.keys(caller.roles.sites).some((siteId) =>
      permissionScope({ ...caller, siteId }, permission),
    )
  );
}

/** The permission that the list of a restricted key must include; undefined where every key may call the operation. */
function namedPermission({
  permission,
  keyRule,
}: (typeof operations)[number]): Permission | undefined {
  return permission === undefined || permission === "any-role"
    ? keyRule?.restrictedNeeds
    : permission;
}

/** Every operation that accepts API keys, and whether a key of this caller could call it today. */
export function callableBy(caller: Caller): CallableOperation[] {
  const withKeys = operations.filter((declared) => declared.credentials.includes("apiKey"));
  return withKeys.map((declared) => {
    const { operation, permission, isTenantWide } = declared;
    const asked = namedPermission(declared);
    return {
      operation,
      permission: asked,
      allowed: isAllowed(caller, permission),
      includedIn: asked === undefined ? [] : permissions.filter((one) => expand([one]).has(asked)),
      isTenantWide,
      mustBeNamed: declared.keyRule?.mustNamePermission === true,
      forProgramsOnly: declared.keyRule?.mustBeOfServiceUser === true && !caller.isServiceUser,
    };
  });
}

/** Every operation that needs a permission, to show what a role opens. */
export function operationFacts(): { operation: string; permission: string }[] {
  return operations.flatMap(({ operation, permission }) =>
    permission && permission !== "any-role" ? [{ operation, permission }] : [],
  );
}

/** The site that limits the caller's authority over users; undefined where it covers the whole tenant. */
export function siteOnly(caller: Caller): string | undefined {
  return siteOfScope(caller, "user.read");
}
