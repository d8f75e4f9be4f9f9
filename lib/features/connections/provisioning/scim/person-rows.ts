import { and, asc, count, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { db, type Executor } from "@/lib/database/open";
import { identities, provisionedUsers, users } from "@/lib/database/schema/schema";

export interface ConnectionKey {
  tenantId: string;
  connectionId: string;
}

const columns = {
  userId: users.userId,
  login: users.login,
  name: users.name,
  emailAddress: users.emailAddress,
  state: users.state,
  registeredAt: users.registeredAt,
  isOwn: provisionedUsers.isOwn,
  externalId: provisionedUsers.externalId,
  givenName: provisionedUsers.givenName,
  familyName: provisionedUsers.familyName,
  changedAt: provisionedUsers.changedAt,
  deletedAt: provisionedUsers.deletedAt,
};

/** A user with the data that the connection provisioned. */
export interface PersonRow {
  userId: string;
  login: string;
  name: string;
  emailAddress: string;
  state: "active" | "invited" | "deactivated";
  registeredAt: Date;
  /** Whether the connection created the user; null if it has not sent data about the user yet. */
  isOwn: boolean | null;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  changedAt: Date | null;
  deletedAt: Date | null;
}

const ofConnection = ({ tenantId, connectionId }: ConnectionKey) =>
  and(
    eq(provisionedUsers.tenantId, tenantId),
    eq(provisionedUsers.connectionId, connectionId),
    eq(provisionedUsers.userId, users.userId),
  );

const isLinked = ({ tenantId, connectionId }: ConnectionKey) =>
  sql`exists (select 1 from ${identities} where ${and(
    eq(identities.tenantId, tenantId),
    eq(identities.connectionId, connectionId),
    eq(identities.userId, users.userId),
  )})`;

const isOfTenant = ({ tenantId }: ConnectionKey): SQL | undefined =>
  and(
    eq(users.tenantId, tenantId),
    eq(users.homeTenantId, tenantId),
    eq(users.kind, "person"),
    eq(users.isSystem, false),
    isNull(users.erasedAt),
  );

/** Users in reach of the connection: those of the tenant whom it created or who linked an account there. It sees no others. */
const inReach = (key: ConnectionKey): SQL | undefined =>
  and(isOfTenant(key), or(eq(provisionedUsers.isOwn, true), isLinked(key)));

const isThere = isNull(provisionedUsers.deletedAt);

/**
 * Rows of `users` that the connection's requests may name: people in its reach that it did not delete. A subquery, for statements that do
 * not join the table of provisioned users.
 */
export const reachable = (key: ConnectionKey): SQL | undefined =>
  and(
    isOfTenant(key),
    or(
      isLinked(key),
      sql`exists (select 1 from ${provisionedUsers} where ${and(ofConnection(key), eq(provisionedUsers.isOwn, true))})`,
    ),
    sql`not exists (select 1 from ${provisionedUsers} where ${and(ofConnection(key), isNotNull(provisionedUsers.deletedAt))})`,
  );

async function find(key: ConnectionKey, condition: SQL | undefined, on: Executor) {
  const [row] = await on
    .select(columns)
    .from(users)
    .leftJoin(provisionedUsers, ofConnection(key))
    .where(and(inReach(key), condition));
  return row;
}

/** The user with the id; `undefined` if out of reach of the connection. */
export const findPerson = (
  key: ConnectionKey,
  userId: string,
  on: Executor = db(),
): Promise<PersonRow | undefined> => find(key, and(isThere, eq(users.userId, userId)), on);

/** The user with this login key whom the provider deleted, and may create again. */
export const findDeleted = (
  key: ConnectionKey,
  loginKey: string,
  on: Executor = db(),
): Promise<PersonRow | undefined> =>
  find(key, and(isNotNull(provisionedUsers.deletedAt), eq(users.loginKey, loginKey)), on);

/** Users, ordered by id. */
export const selectPeople = (
  key: ConnectionKey,
  condition: SQL | undefined,
  { offset, limit }: { offset: number; limit: number },
): Promise<PersonRow[]> =>
  db()
    .select(columns)
    .from(users)
    .leftJoin(provisionedUsers, ofConnection(key))
    .where(and(inReach(key), isThere, condition))
    .orderBy(asc(users.userId))
    .offset(offset)
    .limit(limit);

export async function countPeople(key: ConnectionKey, condition: SQL | undefined): Promise<number> {
  const [row] = await db()
    .select({ total: count() })
    .from(users)
    .leftJoin(provisionedUsers, ofConnection(key))
    .where(and(inReach(key), isThere, condition));
  return row?.total ?? 0;
}
