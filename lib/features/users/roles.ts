import { type Caller, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { db, type Transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { Tagged } from "@/lib/http/responses";
import { checkPreconditions, etagOf, readPreconditions } from "@/lib/protocol/conditional";
import { ApiError } from "@/lib/protocol/errors";
import { assertMayUse } from "./account-access";
import type { AccountRequest } from "./account-rules";
import type { TenantRoles as ShownRoles } from "./contract";
import { auditTarget, findTarget, type Target } from "./find-target";
import { voidLinks } from "./password-links";
import { replaceRoles } from "./role-assignments";
import {
  cellOf,
  changedEnds,
  endsAfter,
  endsOf,
  isByGroup,
  type RoleEnds,
  type RolesWithEnds,
  rolesWithout,
  shownRoles,
} from "./role-ends";
import { assertSitesExist, rolesWithinSite, sortedRoles } from "./role-policy";
import { findHeldRoles, type HeldRole } from "./role-rows";
import { assertNotErased, rolesAt, withUserForUpdate } from "./user-policy";

/** The roles of a user, with their expiry. */
interface Held {
  roles: TenantRoles;
  ends: RoleEnds;
}

function tagged({ roles, ends }: Held, siteId: string | undefined): Tagged<ShownRoles> {
  const value = shownRoles(sortedRoles(rolesWithinSite(roles, siteId)), ends);
  return { value, etag: etagOf(JSON.stringify(value)) };
}

/** The roles of a user in this tenant; for a site's manager those at the site. */
export async function getUserRoles(caller: Caller, userId: string): Promise<Tagged<ShownRoles>> {
  const { roles } = await findTarget(db(), caller, userId, "user.manage");
  const held = await findHeldRoles(db(), { tenantId: caller.tenantId, userId });
  return tagged({ roles, ends: endsOf(held) }, siteOfScope(caller, "user.manage"));
}

/** A site's manager only sets the roles at the site; all others remain. */
function merged(before: TenantRoles, wanted: TenantRoles, siteId: string | undefined): TenantRoles {
  if (siteId === undefined) return wanted;
  const { [siteId]: _, ...others } = before.sites;
  return { roleIds: [...before.roleIds, ...wanted.roleIds], sites: { ...others, ...wanted.sites } };
}

/** Throws 409 if the change removes or limits a role that a provider's group grants: the next sign-in would restore it. */
function assertGroupsKeep(held: readonly HeldRole[], { roles, ends }: Held): void {
  const taken = held.find(
    (role) =>
      isByGroup(role) &&
      (!rolesAt(roles, role.siteId).includes(role.roleId) || ends.has(cellOf(role))),
  );
  if (!taken) return;
  const { roleId } = taken;
  const detail = `A group of the identity provider gives the role ${roleId}. Take the person out of the group, or change the roles of the group.`;
  throw new ApiError("role.held-by-group", detail, roleId);
}

/** Throws 403 unless the caller may set these roles. A change of a role's expiry counts as revoking and granting the role. */
export async function assertMaySetRoles(
  request: Omit<AccountRequest, "after">,
  before: Held,
  after: Held,
): Promise<void> {
  const renewed = changedEnds(before.ends, after.ends);
  await assertMayUse("roles", { ...request, after: rolesWithout(after.roles, renewed) });
  if (renewed.length === 0) return;
  const target = { ...request.target, roles: rolesWithout(before.roles, renewed) };
  await assertMayUse("roles", { ...request, target, after: after.roles });
}

interface RolesChange {
  caller: Caller;
  target: Target;
  held: readonly HeldRole[];
  before: Held;
  after: Held;
}

/** Writes the roles that `assertMaySetRoles` allowed. Throws 409 for roles from a group, and for the last tenant.admin. */
export async function changeRoles(tx: Transaction, change: RolesChange): Promise<void> {
  const { caller, target, held, before, after } = change;
  const { tenantId } = caller;
  const { userId } = target;
  assertGroupsKeep(held, after);
  const forGood = rolesWithout(after.roles, after.ends.keys());
  await assertMayUse("loss-of-admin", { tx, caller, target, after: forGood });
  const [old, now] = [tagged(before, undefined), tagged(after, undefined)];
  if (old.etag === now.etag) return;
  await replaceRoles(tx, { tenantId, userId, ends: after.ends }, after.roles);
  await voidLinks(tx, { tenantId, userId }, "roles");
  await record(tx, actingAs(caller), {
    action: "user.roles-changed",
    target: auditTarget(target),
    changes: { roles: { before: old.value, after: now.value } },
  });
}

/**
 * Sets the roles of a user: 403 for roles that the caller may not grant, 428 without If-Match, 412 when they changed since they
 * were read, 409 for the last tenant.admin. Takes effect on every node within a second.
 */
export async function setUserRoles(
  caller: Caller,
  userId: string,
  wanted: RolesWithEnds,
  headers: Headers,
) {
  const conditions = readPreconditions(headers);
  assertSitesExist(caller.siteIds, wanted, "");
  return withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    assertNotErased(target);
    const siteId = siteOfScope(caller, "user.manage");
    const held = await findHeldRoles(tx, { tenantId: caller.tenantId, userId });
    const before = { roles: sortedRoles(target.roles), ends: endsOf(held) };
    const roles = sortedRoles(merged(before.roles, wanted, siteId));
    const after = { roles, ends: endsAfter(before.ends, wanted, roles) };
    await assertMaySetRoles({ tx, caller, target }, before, after);
    if (conditions.ifMatch === undefined)
      throw new ApiError(
        "precondition.required",
        "Send If-Match with the ETag of the roles you read.",
        "If-Match",
      );
    checkPreconditions(conditions, tagged(before, siteId));
    await changeRoles(tx, { caller, target, held, before, after });
    return tagged(after, siteId);
  });
}
