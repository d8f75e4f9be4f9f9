import { type Caller, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { Tagged } from "@/lib/http/responses";
import { checkPreconditions, etagOf, readPreconditions } from "@/lib/protocol/conditional";
import { ApiError } from "@/lib/protocol/errors";
import { assertMayUse } from "./account-access";
import { auditTarget, findTarget } from "./find-target";
import { voidLinks } from "./password-links";
import { replaceRoles } from "./role-assignments";
import { assertSitesExist, rolesWithinSite, sortedRoles } from "./role-policy";
import { findHeldRoles, type HeldRole } from "./rows";
import { assertNotErased, rolesAt, withUserForUpdate } from "./user-policy";

function tagged(roles: TenantRoles): Tagged<TenantRoles> {
  const value = sortedRoles(roles);
  return { value, etag: etagOf(JSON.stringify(value)) };
}

/** The roles of a user in this tenant; for a site's manager those at the site. */
export async function getUserRoles(caller: Caller, userId: string): Promise<Tagged<TenantRoles>> {
  const target = await findTarget(db(), caller, userId, "user.manage");
  return tagged(rolesWithinSite(target.roles, siteOfScope(caller, "user.manage")));
}

/** What a site's manager sets are the roles at the site; all others stay. */
function merged(before: TenantRoles, wanted: TenantRoles, siteId: string | undefined): TenantRoles {
  if (siteId === undefined) return wanted;
  const { [siteId]: _, ...others } = before.sites;
  return { roleIds: [...before.roleIds, ...wanted.roleIds], sites: { ...others, ...wanted.sites } };
}

/** Throws 409 where the change takes a role that a group of an identity provider gives: it would be back at the next sign-in. */
function assertGroupsKeep(held: readonly HeldRole[], after: TenantRoles): void {
  const taken = held.find(
    ({ heldBy, siteId, roleId }) => heldBy !== "hand" && !rolesAt(after, siteId).includes(roleId),
  );
  if (!taken) return;
  const { roleId } = taken;
  const detail = `A group of the identity provider gives the role ${roleId}. Take the person out of the group, or change the roles of the group.`;
  throw new ApiError("role.held-by-group", detail, roleId);
}

/**
 * Sets the roles of a user: 403 for what the caller may not grant, 428 without If-Match, 412 when they changed since they
 * were read, 409 for the last tenant.admin. Takes effect on every node within a second.
 */
export async function setUserRoles(
  caller: Caller,
  userId: string,
  wanted: TenantRoles,
  headers: Headers,
) {
  const conditions = readPreconditions(headers);
  assertSitesExist(caller.siteIds, wanted, "");
  return withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    assertNotErased(target);
    const siteId = siteOfScope(caller, "user.manage");
    const before = sortedRoles(target.roles);
    const after = sortedRoles(merged(before, wanted, siteId));
    await assertMayUse("roles", { tx, caller, target, after });
    if (conditions.ifMatch === undefined)
      throw new ApiError(
        "precondition.required",
        "Send If-Match with the ETag of the roles you read.",
        "If-Match",
      );
    checkPreconditions(conditions, tagged(rolesWithinSite(before, siteId)));
    assertGroupsKeep(await findHeldRoles(tx, { tenantId: caller.tenantId, userId }), after);
    await assertMayUse("loss-of-admin", { tx, caller, target, after });
    const result = tagged(rolesWithinSite(after, siteId));
    if (JSON.stringify(before) === JSON.stringify(after)) return result;
    await replaceRoles(tx, caller.tenantId, userId, after);
    await voidLinks(tx, { tenantId: caller.tenantId, userId }, "roles");
    const changes = { roles: { before, after } };
    await record(tx, actingAs(caller), {
      action: "user.roles-changed",
      target: auditTarget(target),
      changes,
    });
    return result;
  });
}
