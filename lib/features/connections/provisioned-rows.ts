import { and, eq, isNull } from "drizzle-orm";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import {
  identities,
  provisionedGroupMembers,
  provisionedUsers,
} from "@/lib/database/schema/schema";
import { ownerColumns, usersOf } from "@/lib/features/users/rows";

export type ProvisionedRow = typeof provisionedUsers.$inferSelect;
type Key = Pick<ProvisionedRow, "tenantId" | "connectionId" | "userId">;

const ofUser = ({ tenantId, userId }: Pick<Key, "tenantId" | "userId">) =>
  and(eq(provisionedUsers.tenantId, tenantId), eq(provisionedUsers.userId, userId));

/** Replaces the data that a provider sent about a user. Throws if another user has the external id. */
export async function putProvisioned(tx: Transaction, row: ProvisionedRow): Promise<void> {
  const { externalId, givenName, familyName, changedAt, deletedAt } = row;
  const { tenantId, connectionId, userId } = provisionedUsers;
  await tx
    .insert(provisionedUsers)
    .values(row)
    .onConflictDoUpdate({
      target: [tenantId, connectionId, userId],
      set: { externalId, givenName, familyName, changedAt, deletedAt },
    });
}

/** Whether a provider created the user, or the user linked an account there. */
export async function isOfProvider(
  of: { tenantId: string; userId: string },
  on: Executor = db(),
): Promise<boolean> {
  const made = and(
    ofUser(of),
    eq(provisionedUsers.isOwn, true),
    isNull(provisionedUsers.deletedAt),
  );
  const [provisioned] = await on
    .select({ userId: provisionedUsers.userId })
    .from(provisionedUsers)
    .where(made)
    .limit(1);
  if (provisioned) return true;
  const isTheirs = and(eq(identities.tenantId, of.tenantId), eq(identities.userId, of.userId));
  const [linked] = await on
    .select({ userId: identities.userId })
    .from(identities)
    .where(isTheirs)
    .limit(1);
  return linked !== undefined;
}

/** The user with this external id, if the connection created the user and no identity of the connection is linked to them yet. */
export async function findUnlinked(
  { tenantId, connectionId }: Omit<Key, "userId">,
  externalId: string,
  on: Executor = db(),
): Promise<{ userId: string; login: string } | undefined> {
  const isHere = and(
    eq(provisionedUsers.tenantId, tenantId),
    eq(provisionedUsers.connectionId, connectionId),
  );
  const isLinked = and(
    eq(identities.tenantId, tenantId),
    eq(identities.connectionId, connectionId),
    eq(identities.userId, provisionedUsers.userId),
  );
  const [row] = await on
    .select({ ...ownerColumns, identityId: identities.identityId })
    .from(provisionedUsers)
    .innerJoin(...usersOf(tenantId, provisionedUsers.userId))
    .leftJoin(identities, isLinked)
    .where(
      and(
        isHere,
        eq(provisionedUsers.externalId, externalId),
        eq(provisionedUsers.isOwn, true),
        isNull(provisionedUsers.deletedAt),
      ),
    );
  return row?.identityId === null ? row : undefined;
}

/** The data that providers sent about a user, for the export of personal data. */
export async function exportProvisioned(person: Pick<Key, "tenantId" | "userId">) {
  const rows = await db().select().from(provisionedUsers).where(ofUser(person));
  return rows.map(({ connectionId: connection, externalId, givenName, familyName, changedAt }) => ({
    ...{ connection, externalId, givenName, familyName, changedAt: changedAt.toISOString() },
  }));
}

export async function deleteProvisionedOf(
  tx: Transaction,
  person: Pick<Key, "tenantId" | "userId">,
): Promise<void> {
  await tx.delete(provisionedUsers).where(ofUser(person));
  const { tenantId, userId } = provisionedGroupMembers;
  const isPerson = and(eq(tenantId, person.tenantId), eq(userId, person.userId));
  await tx.delete(provisionedGroupMembers).where(isPerson);
}
