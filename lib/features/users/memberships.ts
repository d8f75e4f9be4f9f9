import { and, eq } from "drizzle-orm";
import { withAccessChange } from "@/lib/access/access-versions";
import { db, type Executor, read, type Transaction } from "@/lib/database/open";
import { memberships, users } from "@/lib/database/schema/schema";
import { type Acting, record } from "@/lib/features/audit/service";
import { actingAsSystem } from "@/lib/features/audit/system";
import { log } from "@/lib/protocol/log";
import { searchTextOf } from "./create";

interface Person {
  userId: string;
  homeTenantId: string;
}

export interface HomeRow {
  login: string;
  name: string;
  emailAddress: string;
}

const homeRow = `select u.login, u.name, u.email_address as "emailAddress" from users u where u.tenant_id = $1 and u.user_id = $2`;

/** How the home tenant has somebody. */
export async function findHomeRow({ homeTenantId, userId }: Person): Promise<HomeRow | undefined> {
  const [row] = await read<HomeRow>("person-at-home", homeRow, [homeTenantId, userId]);
  return row;
}

/**
 * Notes at home that somebody is about to have a row in another tenant: before the row, so that no row is ever overlooked.
 * The trail at home does not say where, because nobody there may learn what a person has elsewhere.
 */
export async function noteMembership(
  tx: Transaction,
  acting: Acting,
  { userId, login }: { userId: string; login: string },
  where: string,
) {
  const noted = await tx
    .insert(memberships)
    .values({ tenantId: acting.tenantId, userId, memberTenantId: where, notedAt: new Date() })
    .onConflictDoNothing({
      target: [memberships.tenantId, memberships.userId, memberships.memberTenantId],
    })
    .returning({ userId: memberships.userId });
  if (noted.length > 0)
    await record(tx, acting, {
      action: "user.membership-noted",
      target: { type: "user", id: userId, name: login },
    });
}

/** Takes a note back when the row was not made after all. */
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

/**
 * Makes a membership show the name and e-mail address of home. They are read once the tenant's row is held, so that of two
 * changes at home the later one stays.
 */
export async function syncMembership(tenantId: string, person: Person): Promise<void> {
  const row = and(
    eq(users.tenantId, tenantId),
    eq(users.userId, person.userId),
    eq(users.homeTenantId, person.homeTenantId),
  );
  await withAccessChange(tenantId, async (tx) => {
    const columns = { login: users.login, name: users.name, emailAddress: users.emailAddress };
    const [[copy], home] = await Promise.all([
      tx.select(columns).from(users).where(row),
      findHomeRow(person),
    ]);
    if (!copy || !home) return;
    const changed = (["name", "emailAddress"] as const).filter(
      (field) => copy[field] !== home[field],
    );
    if (changed.length === 0) return;
    const { name, emailAddress } = home;
    const searchText = searchTextOf({ login: copy.login, name, emailAddress });
    await tx.update(users).set({ name, emailAddress, searchText }).where(row);
    const changes = Object.fromEntries(
      changed.map((field) => [field, { before: copy[field], after: home[field] }]),
    );
    const target = { type: "user", id: person.userId, name: copy.login };
    await record(tx, actingAsSystem(tenantId, "home-tenant"), {
      action: "user.updated",
      target,
      changes,
    });
  });
}

/** Whether the person has, or may have, rights in other tenants: asked in the home tenant. */
export async function hasOtherMemberships(
  tx: Executor,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<boolean> {
  const noted = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.tenantId, tenantId), eq(memberships.userId, userId)))
    .limit(1);
  return noted.length > 0;
}

/** Ids of the other tenants in which a person may have a row. */
export async function otherTenantsOf({ homeTenantId, userId }: Person): Promise<string[]> {
  const noted = await db()
    .select({ tenantId: memberships.memberTenantId })
    .from(memberships)
    .where(and(eq(memberships.tenantId, homeTenantId), eq(memberships.userId, userId)));
  return noted.map(({ tenantId }) => tenantId);
}

/** The home tenant of a person, and every other one where the person may have a row. */
export async function tenantsOf(person: Person): Promise<string[]> {
  return [person.homeTenantId, ...(await otherTenantsOf(person))];
}

/** The same in every tenant where the person is; where it fails, the next sign-in there does it. */
export async function syncMemberships(person: Person): Promise<void> {
  for (const tenantId of await otherTenantsOf(person)) {
    await syncMembership(tenantId, person).catch((error: unknown) =>
      log().warn(
        { err: error, tenantId },
        "a membership still shows the old name or e-mail address",
      ),
    );
  }
}
