import { and, eq } from "drizzle-orm";
import { type Caller, rolesAtSite, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import type { Executor } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import { isStorableText } from "@/lib/protocol/formats";
import type { Permission } from "@/lib/protocol/permissions";

/** A user whom somebody is about to touch, as the tenant's row has it. */
export interface Target {
  userId: string;
  homeTenantId: string;
  kind: "person" | "service";
  state: "active" | "invited" | "deactivated";
  login: string;
  name: string;
  emailAddress: string;
  isLocked: boolean;
  lockReason: string | null;
  lockedUntil: Date | null;
  isSystem: boolean;
  passwordHash: string | null;
  erasedAt: Date | null;
  /** All of them in this tenant, whatever part the caller may see. */
  roles: TenantRoles;
}

const columns = {
  userId: users.userId,
  homeTenantId: users.homeTenantId,
  kind: users.kind,
  state: users.state,
  login: users.login,
  name: users.name,
  emailAddress: users.emailAddress,
  isLocked: users.isLocked,
  lockReason: users.lockReason,
  lockedUntil: users.lockedUntil,
  isSystem: users.isSystem,
  passwordHash: users.passwordHash,
  erasedAt: users.erasedAt,
};

async function rolesOf(tx: Executor, tenantId: string, userId: string): Promise<TenantRoles> {
  const rows = await tx
    .select({ siteId: roleAssignments.siteId, roleId: roleAssignments.roleId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId)))
    .orderBy(roleAssignments.siteId, roleAssignments.roleId);
  return parseGrants(rows.map(({ siteId, roleId }) => `${siteId} ${roleId}`).join(","));
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
  if (!isStorableText(userId)) throw missing();
  const [row] = await tx
    .select(columns)
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
  if (!row) throw missing();
  const roles = await rolesOf(tx, tenantId, userId);
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
