import type { Caller, TenantRoles } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { Tagged } from "@/lib/http/etag-response";
import { checkPreconditions, etagOf, type Preconditions } from "@/lib/protocol/conditional";
import { ApiError } from "@/lib/protocol/errors";
import { replaceRoles } from "./role-assignments";
import { checkGrants, checkSites, cutTo, inOrder, isDemotion } from "./role-policy";
import { keepAnAdmin, refuseOneselfAndSystem, touching } from "./user-policy";
import { auditTarget, findTarget, onlySite } from "./user-row";

function tagged(roles: TenantRoles): Tagged<TenantRoles> {
  const value = inOrder(roles);
  return { value, etag: etagOf(JSON.stringify(value)) };
}

/** The roles of a user in this tenant; for a site's manager those at the site. */
export async function getUserRoles(caller: Caller, userId: string): Promise<Tagged<TenantRoles>> {
  const target = await findTarget(db(), caller, userId, "user.manage");
  return tagged(cutTo(target.roles, onlySite(caller, "user.manage")));
}

/** What a site's manager sets are the roles at the site; all others stay. */
function merged(before: TenantRoles, wanted: TenantRoles, siteId: string | undefined): TenantRoles {
  if (siteId === undefined) return wanted;
  const { [siteId]: _, ...others } = before.sites;
  return { roleIds: [...before.roleIds, ...wanted.roleIds], sites: { ...others, ...wanted.sites } };
}

/**
 * Sets the roles of a user: 403 for what the caller may not grant, 428 without If-Match, 412 when they changed since they
 * were read, 409 for the last tenant.admin. Bites on every node within a second.
 */
export async function setUserRoles(
  caller: Caller,
  userId: string,
  wanted: TenantRoles,
  conditions: Preconditions,
) {
  checkSites(caller.siteIds, wanted, "");
  return touching(caller, userId, "user.manage", async (tx, target) => {
    const siteId = onlySite(caller, "user.manage");
    const before = inOrder(target.roles);
    const after = inOrder(merged(before, wanted, siteId));
    const demotes = isDemotion(before, after);
    checkGrants(caller, before, after);
    if (demotes) refuseOneselfAndSystem(caller, target, "take roles from");
    if (conditions.ifMatch === undefined)
      throw new ApiError(
        "precondition.required",
        "Send If-Match with the ETag of the roles you read.",
        "If-Match",
      );
    checkPreconditions(conditions, tagged(cutTo(before, siteId)));
    const losesAdmin =
      target.roles.roleIds.includes("tenant.admin") && !after.roleIds.includes("tenant.admin");
    if (losesAdmin) await keepAnAdmin(tx, caller.tenantId, target);
    const result = tagged(cutTo(after, siteId));
    if (JSON.stringify(before) === JSON.stringify(after)) return result;
    await replaceRoles(tx, caller.tenantId, userId, after);
    const changes = { roles: { before, after } };
    await record(tx, actingAs(caller), {
      action: "user.roles-changed",
      target: auditTarget(target),
      changes,
    });
    return result;
  });
}
