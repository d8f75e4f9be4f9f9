import { and, asc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { withAccessChange } from "@/lib/access/access-versions";
import { parseGrants } from "@/lib/access/credential-store";
import type { Executor, Transaction } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import { actingAsSystem, recordAll } from "@/lib/features/audit/service";
import { voidLinksOf } from "./password-link-rows";
import { grantsOf } from "./role-assignments";
import { cellOf, endsOf, shownRoles } from "./role-ends";
import {
  deleteEndedRoles,
  type HeldRole,
  heldColumns,
  isAnyRoleEnded,
  isInEffectCondition,
} from "./role-rows";
import { isLockedCondition, loginsOf, usersOf } from "./rows";

/** The roles of these users, with their source. */
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

/** The ids of users who have a role by a group. */
export async function selectHoldersByGroup(on: Executor, tenantId: string): Promise<string[]> {
  const rows = await on
    .selectDistinct({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.tenantId, tenantId), ne(roleAssignments.heldBy, "hand")));
  return rows.map(({ userId }) => userId);
}

interface HoldersQuery {
  tenantId: string;
  /** Matches roles at this site, and roles in the whole tenant. */
  siteId: string;
  roleIds: readonly string[];
  /** The id of a user to omit. */
  except: string;
  max: number;
}

/** Users who may sign in and have one of the roles, the latest sign-in first. */
export async function findHolders(
  on: Executor,
  { tenantId, siteId, roleIds, except, max }: HoldersQuery,
): Promise<string[]> {
  const rows = await on
    .selectDistinct({ userId: users.userId, lastLoginAt: users.lastLoginAt })
    .from(roleAssignments)
    .innerJoin(...usersOf(tenantId, roleAssignments.userId))
    .where(
      and(
        eq(roleAssignments.tenantId, tenantId),
        inArray(roleAssignments.siteId, ["", siteId]),
        inArray(roleAssignments.roleId, roleIds),
        isInEffectCondition(),
        ne(users.userId, except),
        eq(users.kind, "person"),
        eq(users.state, "active"),
        isLockedCondition(new Date(), false),
      ),
    )
    .orderBy(sql`${users.lastLoginAt} desc nulls last`, asc(users.userId))
    .limit(max);
  return rows.map((row) => row.userId);
}

/** Those of these users to whom a group may grant roles: persons whose home tenant this is. */
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

/** The roles of a user before and after a change. */
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

const forGood = (role: HeldRole) => ({ ...role, expiresAt: null });
const shown = (held: readonly HeldRole[], ended: readonly HeldRole[] = []) =>
  shownRoles(parseGrants(grantsOf([...held, ...ended.map(forGood)])), endsOf(held));

/**
 * Deletes the rows of expired roles, and reports it in the audit trail, by webhooks and to the users. Expired roles already have no
 * effect, so no permissions change.
 */
export async function removeEndedRoles(tenantId: string, now: Date): Promise<void> {
  if (!(await isAnyRoleEnded(tenantId, now))) return;
  await withAccessChange(tenantId, async (tx) => {
    const removed = await deleteEndedRoles(tx, tenantId, now);
    const userIds = [...new Set(removed.map(({ userId }) => userId))];
    const held = await selectHeldRoles(tx, tenantId, userIds);
    const logins = await loginsOf(tenantId, userIds, tx);
    const changes = userIds.map((userId) => {
      const ofUser = (role: HeldRole) => role.userId === userId;
      return { userId, left: held.filter(ofUser), ended: removed.filter(ofUser) };
    });
    await writeHeldRoles(
      tx,
      tenantId,
      changes.map(({ userId, left }) => ({ userId, before: left, after: left })),
    );
    await voidLinksOf(tx, tenantId, userIds);
    await recordAll(
      tx,
      actingAsSystem(tenantId, "role-end"),
      changes.map(({ userId, left, ended }) => ({
        action: "user.roles-changed",
        target: { type: "user", id: userId, name: logins.get(userId) ?? userId },
        changes: { roles: { before: shown(left, ended), after: shown(left) } },
      })),
    );
  });
}
