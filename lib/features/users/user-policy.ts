import { withAccessChange } from "@/lib/access/access-versions";
import { type Caller, rolesAtSite, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { permissionsOf } from "@/lib/access/roles";
import type { Transaction } from "@/lib/database/open";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";
import { findTarget, type Target } from "./find-target";

const adminRole = "tenant.admin";
const wholeTenant = "";

/** Every place where a user has a role: "" is the whole tenant. */
export const placesOf = (roles: TenantRoles) => [wholeTenant, ...Object.keys(roles.sites)];

export function rolesAt(roles: TenantRoles, place: string): string[] {
  return place === wholeTenant ? roles.roleIds : (rolesAtSite(roles, place) ?? []);
}

/** Whether the role applies at the place: granted there, or in the whole tenant. */
function holds(roles: TenantRoles, roleId: string, place: string): boolean {
  return roles.roleIds.includes(roleId) || rolesAt(roles, place).includes(roleId);
}

/** Whether the caller has the role at the place; for a restricted API key only if the key has all permissions of the role. */
export function callerHolds(
  { roles, keyRestrictions }: Pick<Caller, "roles" | "keyRestrictions">,
  roleId: string,
  place: string,
): boolean {
  if (!holds(roles, roleId, place)) return false;
  if (keyRestrictions?.siteIds?.has(place) === false) return false;
  return (
    keyRestrictions?.permissions === undefined ||
    [...permissionsOf(roleId)].every((permission) => keyRestrictions.permissions?.has(permission))
  );
}

const permissionsAt = (roles: TenantRoles, place: string) =>
  new Set(rolesAt(roles, place).flatMap((id) => [...permissionsOf(id)]));

/**
 * The rule for every operation that changes a user: only a tenant.admin changes a tenant.admin (at each place where the user is
 * one), and only a system user changes a system user. Throws 403.
 */
export function assertMayChange(caller: Caller, target: Pick<Target, "isSystem" | "roles">): void {
  if (target.isSystem && !caller.isSystem)
    throw new ApiError(
      "user.system",
      "This is one of the platform's own users: only they may change it.",
      "system",
    );
  const isCovered = placesOf(target.roles).every(
    (place) =>
      !rolesAt(target.roles, place).includes(adminRole) || callerHolds(caller, adminRole, place),
  );
  if (!isCovered)
    throw new ApiError("user.admin-only", "Only a tenant.admin may change this user.", adminRole);
}

export function forbidSelf(caller: Caller, target: Pick<Target, "userId">, what: string): void {
  if (target.userId === caller.userId)
    throw new ApiError(
      "user.oneself",
      `You cannot ${what} yourself. Ask another administrator.`,
      "user.manage",
    );
}

/** Users cannot lock, demote or deactivate themselves or a system user. */
export function forbidSelfAndSystem(
  caller: Caller,
  target: Pick<Target, "userId" | "isSystem">,
  what: string,
): void {
  forbidSelf(caller, target, what);
  if (target.isSystem)
    throw new ApiError("user.system", `Nobody can ${what} a system user.`, "system");
}

/** Only the home tenant may change a user's details, because it has the user's row. */
export function assertHomeTenant(
  caller: Caller,
  { homeTenantId }: Pick<Target, "homeTenantId">,
): void {
  if (homeTenantId === caller.tenantId) return;
  throw new ApiError(
    "user.other-home",
    `This person belongs to the tenant ${homeTenantId}. Do this there.`,
    homeTenantId,
  );
}

/** A site's manager may not make tenant-wide changes to a user who also has roles elsewhere. */
export function assertWithinScope(
  caller: Caller,
  target: Pick<Target, "roles">,
  permission: Permission,
): void {
  const site = siteOfScope(caller, permission);
  if (site === undefined) return;
  const elsewhere = placesOf(target.roles).filter(
    (place) => place !== site && permissionsAt(target.roles, place).size > 0,
  );
  if (elsewhere.length === 0) return;
  throw new ApiError(
    "auth.permission-missing",
    `This user has rights beyond the site ${site}: that needs ${permission} there too.`,
    permission,
  );
}

/** A caller who hands out a user's credential must have every permission of that user. Throws 403 with the first missing one. */
export function assertHoldsPermissionsOf(caller: Caller, roles: TenantRoles): void {
  const { permissions, siteIds } = caller.keyRestrictions ?? {};
  const ofTenant = permissionsAt(caller.roles, wholeTenant);
  for (const place of placesOf(roles)) {
    const own = permissionsAt(caller.roles, place);
    const isHeld = (permission: Permission) =>
      permissions?.has(permission) !== false &&
      siteIds?.has(place) !== false &&
      (ofTenant.has(permission) || own.has(permission));
    const missing = [...permissionsAt(roles, place)].find((permission) => !isHeld(permission));
    if (missing === undefined) continue;
    const detail = `This user may do what you may not (${missing}): only somebody who may can hand out the credential.`;
    throw new ApiError("auth.permission-missing", detail, missing);
  }
}

/** Only the id of an erased user remains: no name, address or roles may be written again. Throws 409. */
export function assertNotErased({ erasedAt }: Target): void {
  if (erasedAt !== null)
    throw new ApiError("user.erased", "This user was erased. Invite the person anew.");
}

/**
 * Runs a change of a user in one transaction that first writes the tenant's row, so that changes of permissions are serialized and
 * take effect everywhere within a second. Throws 404, and 403 if a tenant.admin or a system user is required.
 */
export function withUserForUpdate<Result>(
  caller: Caller,
  userId: string,
  permission: Permission,
  work: (tx: Transaction, target: Target) => Promise<Result>,
): Promise<Result> {
  return withAccessChange(caller, async (tx) => {
    const target = await findTarget(tx, caller, userId, permission);
    assertMayChange(caller, target);
    return work(tx, target);
  });
}
