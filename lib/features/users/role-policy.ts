import { type Caller, reach, rolesAtSite, type TenantRoles } from "@/lib/access/caller";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { holds, placesOf, rolesAt } from "./user-policy";

/** Whoever holds these two manages others: they are granted and taken away by their holders only. */
const guardedRoles: readonly string[] = ["tenant.admin", "portal.users.mgmt"];

/** The same roles in one order, without doubles and empty places: what is stored, shown and compared. */
export function inOrder(roles: TenantRoles): TenantRoles {
  const sorted = (ids: string[]) => [...new Set(ids)].sort();
  const places = Object.entries(roles.sites).filter(([, site]) => site.roleIds.length > 0);
  places.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    roleIds: sorted(roles.roleIds),
    sites: Object.fromEntries(
      places.map(([siteId, site]) => [siteId, { roleIds: sorted(site.roleIds) }]),
    ),
  };
}

/** Of the roles, those at one site. */
export function cutTo(roles: TenantRoles, siteId: string | undefined): TenantRoles {
  if (siteId === undefined) return roles;
  const there = rolesAtSite(roles, siteId);
  return { roleIds: [], sites: there ? { [siteId]: { roleIds: there } } : {} };
}

/** Throws 400 for sites of the roles that are not among the tenant's. `pointer` is where the roles stand in the body. */
export function checkSites(
  siteIds: ReadonlySet<string>,
  { sites }: TenantRoles,
  pointer: string,
): void {
  const unknown = Object.keys(sites).filter((siteId) => !siteIds.has(siteId));
  if (unknown.length === 0) return;
  const problems = unknown.map((siteId) => ({
    pointer: `${pointer}/sites/${siteId}`,
    detail: `The tenant has no site "${siteId}".`,
  }));
  throw invalid(problems, "site.unknown");
}

/** The roles that differ, by place. */
function differences(before: TenantRoles, after: TenantRoles): { place: string; roleId: string }[] {
  const places = new Set([...placesOf(before), ...placesOf(after)]);
  return [...places].flatMap((place) => {
    const [old, now] = [rolesAt(before, place), rolesAt(after, place)];
    const changed = [
      ...old.filter((id) => !now.includes(id)),
      ...now.filter((id) => !old.includes(id)),
    ];
    return changed.map((roleId) => ({ place, roleId }));
  });
}

/** Whether any role is taken away. */
export function isDemotion(before: TenantRoles, after: TenantRoles): boolean {
  return placesOf(before).some((place) =>
    rolesAt(before, place).some((roleId) => !rolesAt(after, place).includes(roleId)),
  );
}

/**
 * Who may grant what: user.manage gives and takes every role where it holds, but tenant.admin and portal.users.mgmt need
 * themselves. Throws 403 with the permission or role that is missing.
 */
export function checkGrants(caller: Caller, before: TenantRoles, after: TenantRoles): void {
  const reached = reach(caller, "user.manage");
  for (const { place, roleId } of differences(before, after)) {
    if (reached !== "tenant" && place !== caller.siteId) {
      const where = place === "" ? "in the whole tenant" : `at the site ${place}`;
      throw new ApiError(
        "auth.permission-missing",
        `To change roles ${where} you need user.manage there.`,
        "user.manage",
      );
    }
    if (
      !guardedRoles.includes(roleId) ||
      holds(caller.roles, roleId, place) ||
      holds(caller.roles, "tenant.admin", place)
    )
      continue;
    throw new ApiError(
      "role.not-grantable",
      `Only somebody who holds ${roleId} may grant it or take it away.`,
      roleId,
    );
  }
}
