import { type Caller, rolesAtSite, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import type { Executor } from "@/lib/database/open";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";
import { findRoles } from "./role-rows";
import { findUserRow, type UserRow } from "./rows";

/** A user whom somebody is about to touch, as the tenant's row has it. */
export type Target = Pick<
  UserRow,
  | "userId"
  | "homeTenantId"
  | "kind"
  | "state"
  | "login"
  | "name"
  | "emailAddress"
  | "isLocked"
  | "lockReason"
  | "lockedUntil"
  | "isSystem"
  | "passwordHash"
  | "lastLoginAt"
  | "erasedAt"
> & {
  /** All of them in this tenant, whatever part the caller may see. */
  roles: TenantRoles;
};

/** The user with all roles in the tenant. */
export async function findTargetById(
  tx: Executor,
  tenantId: string,
  userId: string,
): Promise<Target | undefined> {
  const row = await findUserRow(tx, { tenantId, userId });
  return row && { ...row, roles: await findRoles(tx, { tenantId, userId }) };
}

/** The user, or 404: also for one who has no role at the only site where the caller has the permission. */
export async function findTarget(
  tx: Executor,
  caller: Caller,
  userId: string,
  permission: Permission,
): Promise<Target> {
  const { tenantId } = caller;
  const missing = () => new ApiError("user.not-found", "There is no such user in this tenant.");
  const found = await findTargetById(tx, tenantId, userId);
  if (!found) throw missing();
  const site = siteOfScope(caller, permission);
  if (site !== undefined && !rolesAtSite(found.roles, site)) throw missing();
  return found;
}

/** How the audit trail names a user. */
export const auditTarget = ({ userId, login }: Pick<Target, "userId" | "login">): AuditTarget => ({
  type: "user",
  id: userId,
  name: login,
});
