import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import { grantsOf } from "./role-assignments";
import { cellOf } from "./role-ends";
import { type HeldRole, heldColumns, isInEffectCondition } from "./role-rows";

/** The roles of these users, with who gave them. */
export const selectHeldRoles = (
  on: Executor,
  tenantId: string,
  userIds: readonly string[],
): Promise<HeldRole[]> =>
  on
    .select(heldColumns)
    .from(roleAssignments)
    .where(
      and(
        eq(roleAssignments.tenantId, tenantId),
        inArray(roleAssignments.userId, [...userIds]),
        isInEffectCondition(),
      ),
    );

/** Everybody who has a role by a group. */
export async function selectHoldersByGroup(on: Executor, tenantId: string): Promise<string[]> {
  const rows = await on
    .selectDistinct({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.tenantId, tenantId), ne(roleAssignments.heldBy, "hand")));
  return rows.map(({ userId }) => userId);
}

/** Of these users, whom a group may give roles: people of the tenant itself. */
export const selectOwnPeople = (
  on: Executor,
  tenantId: string,
  userIds: readonly string[],
): Promise<{ userId: string; login: string; name: string }[]> =>
  on
    .select({ userId: users.userId, login: users.login, name: users.name })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tenantId),
        eq(users.homeTenantId, tenantId),
        eq(users.kind, "person"),
        eq(users.isSystem, false),
        isNull(users.erasedAt),
        inArray(users.userId, [...userIds]),
      ),
    );

/** What a user has before and after a change. */
export interface RolesChange {
  userId: string;
  before: readonly HeldRole[];
  after: readonly HeldRole[];
}

const array = (values: string[]) => sql`${sql.param(values)}::text[]`;

/** Writes the roles of many users in three statements; the caller records it. */
export async function writeHeldRoles(
  tx: Transaction,
  tenantId: string,
  changes: readonly RolesChange[],
): Promise<void> {
  const removed = changes.flatMap(({ before, after }) => {
    const kept = new Set(after.map(cellOf));
    return before.filter((one) => !kept.has(cellOf(one)));
  });
  const put = changes.flatMap(({ before, after }) => {
    const former = new Map(before.map((one) => [cellOf(one), one.heldBy]));
    return after.filter((one) => former.get(cellOf(one)) !== one.heldBy);
  });
  const columns = (rows: readonly HeldRole[]) => sql`unnest(${array(rows.map((row) => row.userId))},
    ${array(rows.map((row) => row.siteId))}, ${array(rows.map((row) => row.roleId))}, ${array(rows.map((row) => row.heldBy))},
    ${sql.param(rows.map(({ expiresAt }) => expiresAt?.toISOString() ?? null))}::timestamptz[])`;
  if (removed.length > 0)
    await tx.execute(sql`delete from role_assignments r using ${columns(removed)} as g(user_id, site_id, role_id, held_by, expires_at)
      where r.tenant_id = ${tenantId} and r.user_id = g.user_id and r.site_id = g.site_id and r.role_id = g.role_id`);
  if (put.length > 0)
    await tx.execute(sql`insert into role_assignments (tenant_id, user_id, site_id, role_id, held_by, expires_at)
      select ${tenantId}, g.user_id, g.site_id, g.role_id, g.held_by, g.expires_at from ${columns(put)} as g(user_id, site_id, role_id, held_by, expires_at)
      on conflict (tenant_id, user_id, site_id, role_id) do update set held_by = excluded.held_by, expires_at = excluded.expires_at`);
  const ids = changes.map(({ userId }) => userId);
  const grants = changes.map(({ after }) => grantsOf(after));
  await tx.execute(sql`update users u set grants = g.grants from unnest(${array(ids)}, ${array(grants)}) as g(user_id, grants)
    where u.tenant_id = ${tenantId} and u.user_id = g.user_id`);
}
