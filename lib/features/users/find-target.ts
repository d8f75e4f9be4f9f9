import { type Caller, rolesAtSite, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import type { Executor } from "@/lib/database/open";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";
import { findRoles } from "./role-rows";
import { findUserRow, type UserRow } from "./rows";

/** A user to be changed, with columns of the tenant's row. */
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
  /** All roles in this tenant, including those that the caller may not see. */
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

/** The user; throws 404, also for a user without a role at the only site where the caller has the permission. */
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

/** The target of a user in the audit trail. */
export const auditTarget = ({ userId, login }: Pick<Target, "userId" | "login">): AuditTarget => ({
  type: "user",
  id: userId,
  name: login,
});
