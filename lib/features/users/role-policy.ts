import {
  type Caller,
  peopleBehind,
  permissionScope,
  rolesAtSite,
  siteOfScope,
  type TenantRoles,
} from "@/lib/access/caller";
import { permissionsOf } from "@/lib/access/roles";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type { Target } from "./find-target";
import { callerHolds, placesOf, rolesAt } from "./user-policy";

/** Holders of these two manage others: only their holders grant and revoke them. */
export const guardedRoles: readonly string[] = ["tenant.admin", "portal.users.mgmt"];

/** The roles of a user without any. */
export const noRoles: TenantRoles = { roleIds: [], sites: {} };

/** The same roles sorted, without duplicates and empty places: the form for storing, showing and comparing. */
export function sortedRoles(roles: TenantRoles): TenantRoles {
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

/** The roles at one site. */
export function rolesWithinSite(roles: TenantRoles, siteId: string | undefined): TenantRoles {
  if (siteId === undefined) return roles;
  const there = rolesAtSite(roles, siteId);
  return { roleIds: [], sites: there ? { [siteId]: { roleIds: there } } : {} };
}

/** Throws 400 for sites of the roles that the tenant does not have. `pointer` is the position of the roles in the body. */
export function assertSitesExist(
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

/** The roles that `after` adds to `before`, by place. */
export function addedRoles(
  before: TenantRoles,
  after: TenantRoles,
): { place: string; roleId: string }[] {
  return differences(before, after).filter(({ place, roleId }) =>
    rolesAt(after, place).includes(roleId),
  );
}

/** Converts roles listed by place to the roles of a tenant. */
export function rolesOfPlaces(listed: readonly { place: string; roleId: string }[]): TenantRoles {
  const at = (place: string) =>
    listed.filter((one) => one.place === place).map(({ roleId }) => roleId);
  const siteIds = [...new Set(listed.map(({ place }) => place))].filter((place) => place !== "");
  return {
    roleIds: at(""),
    sites: Object.fromEntries(siteIds.map((siteId) => [siteId, { roleIds: at(siteId) }])),
  };
}

/**
 * Throws 403 `user.oneself` if the caller adds roles to its own user, or to a user who knows the caller's secret. Allowed where the caller
 * is tenant.admin, because further roles add nothing.
 */
export function forbidSelfPromotion(
  caller: Caller,
  target: Pick<Target, "userId" | "roles">,
  after: TenantRoles,
): void {
  if (!peopleBehind(caller).includes(target.userId)) return;
  const raised = addedRoles(target.roles, after).find(
    ({ place }) => !callerHolds(caller, "tenant.admin", place),
  );
  if (raised === undefined) return;
  const detail = `You cannot give yourself the role ${raised.roleId}. Ask another administrator.`;
  throw new ApiError("user.oneself", detail, "user.manage");
}

/** Throws 400 unless a site's manager grants the new user a role at the site: the caller could not see the user afterwards. */
export function assertVisibleToManager(caller: Caller, roles: TenantRoles): void {
  const siteId = siteOfScope(caller, "user.manage");
  if (siteId === undefined || (rolesAtSite(roles, siteId)?.length ?? 0) > 0) return;
  const detail = `/roles/sites/${siteId} must have at least one role: you manage the users of this site only.`;
  throw invalid([{ pointer: `/roles/sites/${siteId}`, detail }]);
}

/** Whether any role is removed. */
export function isDemotion(before: TenantRoles, after: TenantRoles): boolean {
  return placesOf(before).some((place) =>
    rolesAt(before, place).some((roleId) => !rolesAt(after, place).includes(roleId)),
  );
}

/**
 * Throws 403 if a restricted API key grants a role that permits more than the key: the role's new holder may also have the key.
 */
function assertWithinRestriction(
  { keyRestrictions }: Caller,
  before: TenantRoles,
  after: TenantRoles,
): void {
  const given = keyRestrictions?.permissions;
  if (given === undefined) return;
  for (const { roleId } of addedRoles(before, after)) {
    const missing = [...permissionsOf(roleId)].find((permission) => !given.has(permission));
    if (missing === undefined) continue;
    throw new ApiError(
      "role.not-grantable",
      `This API key is restricted and lacks ${missing}, so it cannot grant ${roleId}. Use a session, or a key that includes it.`,
      missing,
    );
  }
}

/**
 * The rules for granting: user.manage grants and revokes every role where it applies, but tenant.admin and portal.users.mgmt
 * require that the caller has that role or tenant.admin, and a restricted API key grants nothing that it lacks. Throws 403 with
 * the missing permission or role.
 */
export function assertGrantable(caller: Caller, before: TenantRoles, after: TenantRoles): void {
  const reached = permissionScope(caller, "user.manage");
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
      callerHolds(caller, roleId, place) ||
      callerHolds(caller, "tenant.admin", place)
    )
      continue;
    throw new ApiError(
      "role.not-grantable",
      `Only somebody who holds ${roleId} may grant it or take it away.`,
      roleId,
    );
  }
  assertWithinRestriction(caller, before, after);
}
