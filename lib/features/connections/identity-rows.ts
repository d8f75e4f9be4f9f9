import { and, desc, eq, max } from "drizzle-orm";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { connections, identities, roleAssignments, usedNonces } from "@/lib/database/schema/schema";
import { isForGoodCondition } from "@/lib/features/users/role-rows";

export type IdentityRow = typeof identities.$inferSelect;
type UserKey = Pick<IdentityRow, "tenantId" | "userId">;

/** An account at a provider: connection, issuer and subject. */
export type IdentityKey = Pick<IdentityRow, "tenantId" | "connectionId" | "issuer" | "subject">;

/** More accounts than a user may link. */
const maxOfPerson = 50;

const ofUser = ({ tenantId, userId }: UserKey) =>
  and(eq(identities.tenantId, tenantId), eq(identities.userId, userId));

const byKey = ({ tenantId, connectionId, issuer, subject }: IdentityKey) =>
  and(
    eq(identities.tenantId, tenantId),
    eq(identities.connectionId, connectionId),
    eq(identities.issuer, issuer),
    eq(identities.subject, subject),
  );

export async function findIdentity(
  key: IdentityKey,
  on: Executor = db(),
): Promise<IdentityRow | undefined> {
  const [row] = await on.select().from(identities).where(byKey(key));
  return row;
}

/** The accounts that the user linked, newest first. */
export const identitiesOf = (user: UserKey, on: Executor = db()): Promise<IdentityRow[]> =>
  on
    .select()
    .from(identities)
    .where(ofUser(user))
    .orderBy(desc(identities.identityId))
    .limit(maxOfPerson);

/** False if the account is already linked, even by a concurrent transaction. */
export async function insertIdentity(
  tx: Transaction,
  row: typeof identities.$inferInsert,
): Promise<boolean> {
  const inserted = await tx
    .insert(identities)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: identities.identityId });
  return inserted.length > 0;
}

/** False if the identity no longer exists, or belongs to another user by now. */
export async function noteIdentityUse(tx: Transaction, row: IdentityRow): Promise<boolean> {
  const { tenantId, identityId } = row;
  const noted = await tx
    .update(identities)
    .set({ lastUsedAt: new Date() })
    .where(
      and(ofUser(row), eq(identities.tenantId, tenantId), eq(identities.identityId, identityId)),
    )
    .returning({ id: identities.identityId });
  return noted.length > 0;
}

/** Returns the deleted row; undefined if the user has no such identity. */
export async function deleteIdentity(
  tx: Transaction,
  user: UserKey,
  identityId: string,
): Promise<IdentityRow | undefined> {
  const [deleted] = await tx
    .delete(identities)
    .where(and(ofUser(user), eq(identities.identityId, identityId)))
    .returning();
  return deleted;
}

/** Returns whether any were deleted. */
export async function deleteIdentitiesAt(
  tx: Transaction,
  user: UserKey,
  connectionId: string,
): Promise<boolean> {
  const deleted = await tx
    .delete(identities)
    .where(and(ofUser(user), eq(identities.connectionId, connectionId)))
    .returning({ id: identities.identityId });
  return deleted.length > 0;
}

export async function deleteIdentitiesOf(tx: Transaction, user: UserKey): Promise<void> {
  await tx.delete(identities).where(ofUser(user));
}

/** False if the nonce was used before. */
export async function useNonce(
  tx: Transaction,
  row: typeof usedNonces.$inferInsert,
): Promise<boolean> {
  const inserted = await tx
    .insert(usedNonces)
    .values(row)
    .onConflictDoNothing()
    .returning({ expiresAt: usedNonces.expiresAt });
  return inserted.length > 0;
}

/** The last sign-in of a tenant.admin through a connection that is enabled now. */
export async function lastSignInOfAdministrator(
  on: Executor,
  tenantId: string,
): Promise<Date | undefined> {
  const [row] = await on
    .select({ at: max(identities.lastUsedAt) })
    .from(identities)
    .innerJoin(
      connections,
      and(
        eq(connections.tenantId, tenantId),
        eq(connections.connectionId, identities.connectionId),
        eq(connections.issuer, identities.issuer),
        eq(connections.isEnabled, true),
      ),
    )
    .innerJoin(
      roleAssignments,
      and(
        eq(roleAssignments.tenantId, tenantId),
        eq(roleAssignments.userId, identities.userId),
        eq(roleAssignments.siteId, ""),
        eq(roleAssignments.roleId, "tenant.admin"),
        isForGoodCondition(),
      ),
    )
    .where(eq(identities.tenantId, tenantId));
  return row?.at ?? undefined;
}
