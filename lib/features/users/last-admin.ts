import { and, eq, ne } from "drizzle-orm";
import { isLockedAt } from "@/lib/access/locks";
import type { Executor, Transaction } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import type { Target } from "./find-target";

const adminRole = "tenant.admin";
const wholeTenant = "";

/** The administrators who can sign in now. */
async function adminsOf(tx: Executor, tenantId: string): Promise<string[]> {
  const now = new Date();
  const rows = await tx
    .select({ id: users.userId, isLocked: users.isLocked, lockedUntil: users.lockedUntil })
    .from(roleAssignments)
    .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.userId, roleAssignments.userId)))
    .where(
      and(
        eq(roleAssignments.tenantId, tenantId),
        eq(roleAssignments.siteId, wholeTenant),
        eq(roleAssignments.roleId, adminRole),
        eq(users.state, "active"),
      ),
    );
  return rows.filter((one) => !isLockedAt(one, now)).map(({ id }) => id);
}

/** To be called within a transaction that holds the tenant's row: then no two changes can both believe that the other admin stays. */
export async function assertNotLastAdmin(
  tx: Transaction,
  tenantId: string,
  target: Target,
): Promise<void> {
  if (
    !target.roles.roleIds.includes(adminRole) ||
    target.state !== "active" ||
    isLockedAt(target, new Date())
  )
    return;
  if ((await adminsOf(tx, tenantId)).some((id) => id !== target.userId)) return;
  throw new ApiError(
    "user.last-admin",
    "This is the tenant's last administrator. Make another user tenant.admin first.",
    adminRole,
  );
}

/** Whether the person is the only administrator of other active users: in a tenant of one's own nobody is left behind. */
export async function isNeededAdmin(
  on: Executor,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const admins = await adminsOf(on, tenantId);
  if (admins.length !== 1 || admins[0] !== userId) return false;
  const isOther = [ne(users.userId, userId), eq(users.state, "active"), eq(users.isSystem, false)];
  const others = await on
    .select({ id: users.userId })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), ...isOther))
    .limit(1);
  return others.length > 0;
}

export const neededElsewhere = () =>
  new ApiError(
    "user.last-admin",
    "This person is the last administrator of another tenant, which others use: somebody else must become tenant.admin there first.",
    adminRole,
  );
