import { type Caller, rolesAtSite, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import type { Executor } from "@/lib/database/open";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";
import { findRoles, findUserRow, type UserRow } from "./rows";

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

/** The user, or 404: also for one who has no role at the only site where the caller has the permission. */
export async function findTarget(
  tx: Executor,
  caller: Caller,
  userId: string,
  permission: Permission,
): Promise<Target> {
  const { tenantId } = caller;
  const missing = () => new ApiError("user.not-found", "There is no such user in this tenant.");
  const row = await findUserRow(tx, { tenantId, userId });
  if (!row) throw missing();
  const roles = await findRoles(tx, { tenantId, userId });
  const site = siteOfScope(caller, permission);
  if (site !== undefined && !rolesAtSite(roles, site)) throw missing();
  return { ...row, roles };
}

/** How the audit trail names a user. */
export const auditTarget = ({ userId, login }: Pick<Target, "userId" | "login">): AuditTarget => ({
  type: "user",
  id: userId,
  name: login,
});
