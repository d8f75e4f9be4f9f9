import { and, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { TenantRoles } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { roleAssignments } from "@/lib/database/schema/schema";
import type { UserKey } from "./rows";

const rolesByKey = ({ tenantId, userId }: UserKey) =>
  and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId));

/** Roles without an expiry: granted permanently, or by a group, which removes them itself. */
export const isForGoodCondition = () =>
  or(ne(roleAssignments.heldBy, "hand"), isNull(roleAssignments.expiresAt));

/** Roles that have not expired. Expired rows remain until the next cleanup. */
export const isInEffectCondition = () =>
  or(isForGoodCondition(), gt(roleAssignments.expiresAt, new Date()));

const isEndedCondition = (tenantId: string, now: Date) =>
  and(
    eq(roleAssignments.tenantId, tenantId),
    eq(roleAssignments.heldBy, "hand"),
    lte(roleAssignments.expiresAt, now),
  );

/** The same as SQL text for prepared statements, for rows of `role_assignments`. */
export const inEffectSql = (table: string) =>
  `(${table}.expires_at is null or ${table}.expires_at > now() or ${table}.held_by <> 'hand')`;

/** A user's roles in the tenant, from the rows of the assignments. */
export async function findRoles(tx: Executor, key: UserKey): Promise<TenantRoles> {
  const rows = await tx
    .select({ siteId: roleAssignments.siteId, roleId: roleAssignments.roleId })
    .from(roleAssignments)
    .where(and(rolesByKey(key), isInEffectCondition()))
    .orderBy(roleAssignments.siteId, roleAssignments.roleId);
  return parseGrants(rows.map(({ siteId, roleId }) => `${siteId} ${roleId}`).join(","));
}

/** A role of a user at a place, and its source. */
export type HeldRole = Omit<typeof roleAssignments.$inferSelect, "tenantId">;

/** A user's roles in the tenant, with their source and expiry. */
export const findHeldRoles = (tx: Executor, key: UserKey): Promise<HeldRole[]> =>
  tx
    .select(heldColumns)
    .from(roleAssignments)
    .where(and(rolesByKey(key), isInEffectCondition()));

export const heldColumns = {
  userId: roleAssignments.userId,
  siteId: roleAssignments.siteId,
  roleId: roleAssignments.roleId,
  heldBy: roleAssignments.heldBy,
  expiresAt: roleAssignments.expiresAt,
};

export async function insertRoles(
  tx: Transaction,
  rows: (typeof roleAssignments.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await tx.insert(roleAssignments).values(rows);
}

/** Converts the user's roles from groups to manual grants, which groups do not change any more. */
export async function keepRolesByHand(tx: Transaction, key: UserKey): Promise<void> {
  const expiresAt = sql`case when ${roleAssignments.heldBy} = 'hand' then ${roleAssignments.expiresAt} end`;
  await tx.update(roleAssignments).set({ heldBy: "hand", expiresAt }).where(rolesByKey(key));
}

export async function deleteRoles(tx: Transaction, key: UserKey): Promise<void> {
  await tx.delete(roleAssignments).where(rolesByKey(key));
}

/** Whether any user has a role at the site. */
export async function isAnyRoleAtSite(
  tx: Executor,
  tenantId: string,
  siteId: string,
): Promise<boolean> {
  const found = await tx
    .select({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(
      and(
        eq(roleAssignments.tenantId, tenantId),
        eq(roleAssignments.siteId, siteId),
        isInEffectCondition(),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Deletes the rows of expired roles, and returns them. */
export const deleteEndedRoles = (
  tx: Transaction,
  tenantId: string,
  now: Date,
): Promise<HeldRole[]> =>
  tx.delete(roleAssignments).where(isEndedCondition(tenantId, now)).returning(heldColumns);

/** Whether the tenant has rows of expired roles. */
export async function isAnyRoleEnded(tenantId: string, now: Date): Promise<boolean> {
  const found = await db()
    .select({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(isEndedCondition(tenantId, now))
    .limit(1);
  return found.length > 0;
}
