import { and, eq, inArray, type SQLWrapper, sql } from "drizzle-orm";
import { lockTenant } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { type Lock, userLockedSql } from "@/lib/access/locks";
import { db, type Executor, type Transaction, transaction } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { Preferences } from "@/lib/protocol/documents/preferences";

/**
 * The statements on `users` that change or read one user. Statements for other features are here too: no other file has SQL on the
 * table. Roles are in role-rows.ts, lists in list.ts, sign-ins in login-candidate.ts.
 */
export type UserRow = typeof users.$inferSelect;
export type NewUserRow = typeof users.$inferInsert;

/** A user of a tenant: the key of a row. */
export interface UserKey {
  tenantId: string;
  userId: string;
}

const byKey = ({ tenantId, userId }: UserKey) =>
  and(eq(users.tenantId, tenantId), eq(users.userId, userId));

export async function findUserRow(tx: Executor, key: UserKey): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(byKey(key));
  return row;
}

/** A user by the key of the login. */
export async function findPersonByLogin(
  tenantId: string,
  loginKey: string,
  on: Executor = db(),
): Promise<UserRow | undefined> {
  const [row] = await on
    .select()
    .from(users)
    .where(
      and(eq(users.tenantId, tenantId), eq(users.loginKey, loginKey), eq(users.kind, "person")),
    );
  return row;
}

/** False when the login is taken. */
export async function insertUserRow(tx: Transaction, row: NewUserRow): Promise<boolean> {
  const inserted = await tx
    .insert(users)
    .values(row)
    .onConflictDoNothing({ target: [users.tenantId, users.loginKey] })
    .returning({ userId: users.userId });
  return inserted.length > 0;
}

type KnownAddress = "usedEmail" | "confirmedEmail";

/** The address that the owner used, or confirmed by a mailed link. For rows older than the columns, a sign-in counts as both. */
export const knownAddress = (
  row: Pick<UserRow, KnownAddress | "lastLoginAt" | "emailAddress">,
  what: KnownAddress,
): string => row[what] ?? (row.lastLoginAt === null ? "" : row.emailAddress);

/** The same in SQL, for a write that changes what `knownAddress` derives the value from. */
const keptAddress = (what: KnownAddress) =>
  sql`coalesce(${users[what]}, case when ${users.lastLoginAt} is null then '' else ${users.emailAddress} end)`;

/** Whether the address of a row `u` is confirmed; null for a copy and without an address. */
export const isConfirmedSql = `case when u.home_tenant_id = u.tenant_id and u.email_address <> '' then
  coalesce(u.confirmed_email, case when u.last_login_at is null then '' else u.email_address end) = u.email_address end`;

/** The confirmed address of the user, from the home tenant; empty for none. `row` may be of any tenant. */
export async function findConfirmedAddress(row: UserRow): Promise<string> {
  const { tenantId, userId, homeTenantId } = row;
  const home =
    homeTenantId === tenantId ? row : await findUserRow(db(), { tenantId: homeTenantId, userId });
  return home ? knownAddress(home, "confirmedEmail") : "";
}

/** Returns the new row, or undefined when there is none. */
export async function updateUserRow(
  tx: Executor,
  key: UserKey,
  set: Partial<NewUserRow>,
): Promise<UserRow | undefined> {
  const kept =
    set.emailAddress === undefined
      ? {}
      : {
          usedEmail: keptAddress("usedEmail"),
          confirmedEmail: keptAddress("confirmedEmail"),
          askedEmail: null,
        };
  const [row] = await tx
    .update(users)
    .set({ ...kept, ...set })
    .where(byKey(key))
    .returning();
  return row;
}

/**
 * Records a sign-in: with the user's own password or passkey the e-mail address of the row counts as used. A switch from another tenant
 * does not prove that, and neither does an identity provider: it may have set the address, and could then have a link mailed there.
 */
export async function noteSignIn(
  tx: Transaction,
  key: UserKey,
  given: { now: Date; parent: object | undefined; authenticatedBy?: string },
): Promise<UserRow | undefined> {
  const { now, parent, authenticatedBy } = given;
  const provesIt = !parent && authenticatedBy !== "connection";
  const usedEmail = provesIt ? sql`${users.emailAddress}` : keptAddress("usedEmail");
  const confirmedEmail = keptAddress("confirmedEmail");
  const [row] = await tx
    .update(users)
    .set({ lastLoginAt: now, usedEmail, confirmedEmail })
    .where(byKey(key))
    .returning();
  return row;
}

/** Replaces the password hash if it is still `current`; undefined when it has changed. */
export async function replacePasswordHash(
  tx: Transaction,
  key: UserKey,
  { current, next }: { current: string; next: string },
): Promise<(Lock & Pick<UserRow, "state">) | undefined> {
  const [row] = await tx
    .update(users)
    .set({ passwordHash: next, mustChangePassword: false, passwordExpiresAt: null })
    .where(and(byKey(key), eq(users.passwordHash, current)))
    .returning({ state: users.state, isLocked: users.isLocked, lockedUntil: users.lockedUntil });
  return row;
}

/** Replaces the hash of a password by another one of the same password; false when it has changed. */
export async function renewPasswordHash(
  key: UserKey,
  { former, passwordHash }: { former: string; passwordHash: string },
): Promise<boolean> {
  const unchanged = and(byKey(key), eq(users.passwordHash, former));
  const rows = await db().update(users).set({ passwordHash }).where(unchanged).returning({
    userId: users.userId,
  });
  return rows.length > 0;
}

/** The columns of a user that other features show with their own rows. */
export const ownerColumns = {
  userId: users.userId,
  login: users.login,
  name: users.name,
  kind: users.kind,
  state: users.state,
  isLocked: users.isLocked,
  lockedUntil: users.lockedUntil,
};
export type OwnerColumns = Pick<UserRow, keyof typeof ownerColumns>;

/** The logins of the tenant's users by their ids; ids that it does not have are left out. */
export async function loginsOf(
  tenantId: string,
  userIds: string[],
  on: Executor = db(),
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await on
    .select({ userId: users.userId, login: users.login })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), inArray(users.userId, userIds)));
  return new Map(rows.map(({ userId, login }) => [userId, login]));
}

/**
 * For a join with the users of the tenant whose id is in the column.
 * @example .innerJoin(...usersOf(tenantId, apiKeys.userId))
 */
export const usersOf = (tenantId: string, userId: SQLWrapper) =>
  [users, and(eq(users.tenantId, tenantId), eq(users.userId, userId))] as const;

/** The users who are locked at that time, or those who are not. */
export const isLockedCondition = (now: Date, isLocked: boolean) =>
  sql`${sql.raw(userLockedSql("users", `'${now.toISOString()}'`))} = ${isLocked}`;

export function getPreferences({ tenantId, userId }: Caller): Promise<Preferences> {
  return findPreferences(tenantId, userId);
}

/** A user's preferences in a tenant, for an export. */
export async function findPreferences(tenantId: string, userId: string): Promise<Preferences> {
  const row = await findUserRow(db(), { tenantId, userId });
  return row?.preferences ?? {};
}

/** Replaces the caller's preferences in this tenant. */
export async function setPreferences(
  caller: Caller,
  preferences: Preferences,
  assertUnchanged: AssertUnchanged,
): Promise<Preferences> {
  return transaction(async (tx) => {
    await lockTenant(tx, caller.tenantId);
    const before = await findUserRow(tx, caller);
    await assertUnchanged(() => before?.preferences ?? {});
    await updateUserRow(tx, caller, { preferences });
    const changes = { preferences: { before: before?.preferences, after: preferences } };
    const target = { type: "user", id: caller.userId, name: caller.login };
    await record(tx, actingAs(caller), { action: "user.preferences-changed", target, changes });
    return preferences;
  });
}
