import { type Caller, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { hasUsableKey } from "@/lib/access/key-descriptions";
import { db, type Transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { Tagged } from "@/lib/http/etag-response";
import { checkPreconditions, etagOf, readPreconditions } from "@/lib/protocol/conditional";
import { ApiError } from "@/lib/protocol/errors";
import { auditTarget, findTarget, type Target } from "./find-target";
import { assertNotLastAdmin } from "./last-admin";
import { voidLinks } from "./password-links";
import { replaceRoles } from "./role-assignments";
import {
  addedRoles,
  assertGrantable,
  assertSitesExist,
  forbidSelfPromotion,
  isDemotion,
  rolesOfPlaces,
  rolesWithinSite,
  sortedRoles,
} from "./role-policy";
import {
  assertHoldsPermissionsOf,
  assertNotErased,
  forbidSelfAndSystem,
  withUserForUpdate,
} from "./user-policy";

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

/**
 * Throws 403 if the change gives a service user permissions that the caller lacks while it has a usable key: managers create such
 * keys, so the caller may know the secret and would gain these permissions.
 */
async function forbidKeyPromotion(
  tx: Transaction,
  caller: Caller,
  target: Target,
  after: TenantRoles,
): Promise<void> {
  if (target.kind !== "service" || !(await hasUsableKey(tx, caller.tenantId, target.userId)))
    return;
  assertHoldsPermissionsOf(caller, rolesOfPlaces(addedRoles(target.roles, after)));
}

/**
 * Sets the roles of a user: 403 for what the caller may not grant, 428 without If-Match, 412 when they changed since they
 * were read, 409 for the last tenant.admin. Bites on every node within a second.
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
    const demotes = isDemotion(before, after);
    forbidSelfPromotion(caller, target, after);
    assertGrantable(caller, before, after);
    await forbidKeyPromotion(tx, caller, target, after);
    if (demotes) forbidSelfAndSystem(caller, target, "take roles from");
    if (conditions.ifMatch === undefined)
      throw new ApiError(
        "precondition.required",
        "Send If-Match with the ETag of the roles you read.",
        "If-Match",
      );
    checkPreconditions(conditions, tagged(rolesWithinSite(before, siteId)));
    const losesAdmin =
      target.roles.roleIds.includes("tenant.admin") && !after.roleIds.includes("tenant.admin");
    if (losesAdmin) await assertNotLastAdmin(tx, caller.tenantId, target);
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
