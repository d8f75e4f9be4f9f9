import { and, eq } from "drizzle-orm";
import { userLockedSql } from "@/lib/access/locks";
import { db, type Executor, read, type Transaction } from "@/lib/database/open";
import { memberships, users } from "@/lib/database/schema/schema";
import type { UserKey } from "./rows";

/** A user and the home tenant, whose `memberships` rows list the other tenants. */
export interface Person {
  userId: string;
  homeTenantId: string;
}

const byKey = ({ tenantId, userId }: UserKey) =>
  and(eq(memberships.tenantId, tenantId), eq(memberships.userId, userId));

/** False when it already existed. `key` is of the home tenant. */
export async function insertMembership(
  tx: Transaction,
  key: UserKey,
  memberTenantId: string,
): Promise<boolean> {
  const inserted = await tx
    .insert(memberships)
    .values({
      tenantId: key.tenantId,
      userId: key.userId,
      memberTenantId,
      notedAt: new Date(),
    })
    .onConflictDoNothing({
      target: [memberships.tenantId, memberships.userId, memberships.memberTenantId],
    })
    .returning({ userId: memberships.userId });
  return inserted.length > 0;
}

/** Whether the user has, or may have, rights in other tenants. `key` is of the home tenant. */
export async function hasOtherMemberships(tx: Executor, key: UserKey): Promise<boolean> {
  const found = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(byKey(key))
    .limit(1);
  return found.length > 0;
}

const otherTenants = `select m.member_tenant_id as id from memberships m where m.tenant_id = $1 and m.user_id = $2`;

/** Ids of the other tenants in which a user may have a row. */
export async function otherTenantsOf({ homeTenantId, userId }: Person): Promise<string[]> {
  const found = await read<{ id: string }>("other-tenants", otherTenants, [homeTenantId, userId]);
  return found.map(({ id }) => id);
}

/** The home tenant of a user, and every other one where the user may have a row. */
export async function tenantsOf(person: Person): Promise<string[]> {
  return [person.homeTenantId, ...(await otherTenantsOf(person))];
}

const tenantsSince = `select p.id, p.at from (
    select m.member_tenant_id as id, m.noted_at as at from memberships m where m.tenant_id = $1 and m.user_id = $2
    union all select u.tenant_id, u.registered_at from users u where u.tenant_id = $1 and u.user_id = $2
  ) p where (p.at, p.id) < ($3::timestamptz, $4) order by p.at desc, p.id desc limit $5`;

/** The tenants of `tenantsOf` with the start of the membership, newest first, before `[at, id]`. */
export function listTenantsOf(
  { homeTenantId, userId }: Person,
  [at, id]: readonly [at: string, id: string],
  limit: number,
): Promise<readonly { id: string; at: Date }[]> {
  return read<{ id: string; at: Date }>("own-tenants", tenantsSince, [
    homeTenantId,
    userId,
    at,
    id,
    limit,
  ]);
}

const usableTenant = `select t.name, t.kind from tenants t join users u on u.tenant_id = $1
  where t.tenant_id = $1 and u.user_id = $2 and u.home_tenant_id = $3 and u.grants <> '' and not ${userLockedSql("u", "$4")}`;

interface TenantFacts {
  name: string;
  kind: "production" | "sandbox" | "demo" | "platform";
}

/** The tenant, if the user has a role there and is not locked. */
export async function findUsableTenant(
  tenantId: string,
  { userId, homeTenantId }: Person,
): Promise<TenantFacts | undefined> {
  const values = [tenantId, userId, homeTenantId, new Date()];
  const [row] = await read<TenantFacts>("own-tenant", usableTenant, values);
  return row;
}

/** Deletes a membership whose user row was not created after all. */
export async function forgetMembership(
  { homeTenantId, userId }: Person,
  where: string,
): Promise<void> {
  const there = await db()
    .select({ userId: users.userId })
    .from(users)
    .where(and(eq(users.tenantId, where), eq(users.userId, userId)));
  if (there.length > 0) return;
  const note = [eq(memberships.userId, userId), eq(memberships.memberTenantId, where)];
  await db()
    .delete(memberships)
    .where(and(eq(memberships.tenantId, homeTenantId), ...note));
}
