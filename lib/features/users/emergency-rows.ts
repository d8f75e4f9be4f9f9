import { and, eq, sql } from "drizzle-orm";
import { isLockedAt } from "@/lib/access/locks";
import type { Executor, Transaction } from "@/lib/database/open";
import { emergencyAdministrators, roleAssignments, users } from "@/lib/database/schema/schema";
import { isInEffectCondition } from "./role-rows";
import { type UserKey, usersOf } from "./rows";

const byKey = ({ tenantId, userId }: UserKey) =>
  and(eq(emergencyAdministrators.tenantId, tenantId), eq(emergencyAdministrators.userId, userId));

/** Without an expiry: in an emergency an expired role would be useless. */
const isAdministrator = (tenantId: string) =>
  sql<boolean>`exists (select 1 from role_assignments r where r.tenant_id = ${tenantId} and r.user_id = ${users.userId}
    and r.site_id = '' and r.role_id = 'tenant.admin' and (r.expires_at is null or r.held_by <> 'hand'))`;

const hasSecondFactor = (tenantId: string) =>
  sql<boolean>`exists (select 1 from second_factors f where f.tenant_id = ${tenantId} and f.user_id = ${users.userId}
    and f.confirmed_at is not null)`;

/** The emergency administrators of a tenant, with the columns that decide whether they can sign in. */
export const selectEmergencyAdministrators = (on: Executor, tenantId: string) =>
  on
    .select({
      userId: users.userId,
      login: users.login,
      name: users.name,
      state: users.state,
      isLocked: users.isLocked,
      lockedUntil: users.lockedUntil,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      mustChangePassword: users.mustChangePassword,
      isAdministrator: isAdministrator(tenantId),
      hasSecondFactor: hasSecondFactor(tenantId),
      createdAt: emergencyAdministrators.createdAt,
      lastUsedAt: emergencyAdministrators.lastUsedAt,
    })
    .from(emergencyAdministrators)
    .innerJoin(...usersOf(tenantId, emergencyAdministrators.userId))
    .where(eq(emergencyAdministrators.tenantId, tenantId))
    .orderBy(emergencyAdministrators.createdAt, emergencyAdministrators.userId)
    .limit(20);

export type EmergencyAdministratorRow = Awaited<
  ReturnType<typeof selectEmergencyAdministrators>
>[number];

/** Whether a password and a second factor sign the user in now. A one-time password does not count, because it expires. */
export function isReady(row: EmergencyAdministratorRow, now: Date): boolean {
  const { state, hasPassword, mustChangePassword, isAdministrator, hasSecondFactor } = row;
  const isUsable = state === "active" && !isLockedAt(row, now) && isAdministrator;
  return isUsable && hasPassword && !mustChangePassword && hasSecondFactor;
}

/** False if the user already is one. */
export async function insertEmergencyAdministrator(
  tx: Transaction,
  { tenantId, userId }: UserKey,
): Promise<boolean> {
  const added = await tx
    .insert(emergencyAdministrators)
    .values({ tenantId, userId, createdAt: new Date() })
    .onConflictDoNothing({
      target: [emergencyAdministrators.tenantId, emergencyAdministrators.userId],
    })
    .returning({ userId: emergencyAdministrators.userId });
  return added.length > 0;
}

/** False if the user is none. */
export async function deleteEmergencyAdministrator(
  tx: Transaction,
  key: UserKey,
): Promise<boolean> {
  const deleted = await tx
    .delete(emergencyAdministrators)
    .where(byKey(key))
    .returning({ userId: emergencyAdministrators.userId });
  return deleted.length > 0;
}

/** Whether the user is named as one, with or without the role. */
export async function isNamedForEmergencies(on: Executor, key: UserKey): Promise<boolean> {
  const found = await on
    .select({ userId: emergencyAdministrators.userId })
    .from(emergencyAdministrators)
    .where(byKey(key));
  return found.length > 0;
}

export async function noteEmergencyUse(tx: Transaction, key: UserKey): Promise<void> {
  await tx.update(emergencyAdministrators).set({ lastUsedAt: new Date() }).where(byKey(key));
}

/** The ids of users with the role in the whole tenant. */
export async function selectAdministratorIds(on: Executor, tenantId: string): Promise<string[]> {
  const rows = await on
    .select({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(
      and(
        eq(roleAssignments.tenantId, tenantId),
        eq(roleAssignments.siteId, ""),
        eq(roleAssignments.roleId, "tenant.admin"),
        isInEffectCondition(),
      ),
    )
    .limit(100);
  return rows.map(({ userId }) => userId);
}
