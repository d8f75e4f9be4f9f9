import { and, asc, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { provisionedGroupMembers, provisionedGroups, users } from "@/lib/database/schema/schema";
import { type ConnectionKey, reachable } from "./person-rows";

export type GroupRow = typeof provisionedGroups.$inferSelect;
type GroupKey = Pick<GroupRow, "tenantId" | "connectionId" | "groupId">;

export interface MemberRow {
  groupId: string;
  userId: string;
  name: string;
}

const groups = provisionedGroups;
const members = provisionedGroupMembers;

const ofConnection = ({ tenantId, connectionId }: ConnectionKey) =>
  and(eq(groups.tenantId, tenantId), eq(groups.connectionId, connectionId));
const byKey = (key: GroupKey) => and(ofConnection(key), eq(groups.groupId, key.groupId));

const membersOf = ({ tenantId, connectionId }: ConnectionKey) =>
  and(eq(members.tenantId, tenantId), eq(members.connectionId, connectionId));

export async function findGroup(key: GroupKey, on: Executor = db()): Promise<GroupRow | undefined> {
  const [row] = await on.select().from(groups).where(byKey(key));
  return row;
}

/** Groups, ordered by id. */
export const selectGroups = (
  key: ConnectionKey,
  condition: SQL | undefined,
  { offset, limit }: { offset: number; limit: number },
): Promise<GroupRow[]> =>
  db()
    .select()
    .from(groups)
    .where(and(ofConnection(key), condition))
    .orderBy(asc(groups.groupId))
    .offset(offset)
    .limit(limit);

export async function countGroups(
  key: ConnectionKey,
  condition: SQL | undefined,
  on: Executor = db(),
): Promise<number> {
  const [row] = await on
    .select({ total: count() })
    .from(groups)
    .where(and(ofConnection(key), condition));
  return row?.total ?? 0;
}

/** The number of members of each group. */
export async function countMembers(
  key: ConnectionKey,
  groupIds: string[],
): Promise<ReadonlyMap<string, number>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db()
    .select({ groupId: members.groupId, total: count() })
    .from(members)
    .where(and(membersOf(key), inArray(members.groupId, groupIds)))
    .groupBy(members.groupId);
  return new Map(rows.map(({ groupId, total }) => [groupId, total]));
}

/** The members of the groups that are in reach of the connection, ordered by id. */
export async function selectMembers(
  key: ConnectionKey,
  groupIds: string[],
  on: Executor = db(),
): Promise<MemberRow[]> {
  if (groupIds.length === 0) return [];
  return on
    .select({ groupId: members.groupId, userId: users.userId, name: users.name })
    .from(members)
    .innerJoin(users, and(eq(users.tenantId, key.tenantId), eq(users.userId, members.userId)))
    .where(and(membersOf(key), inArray(members.groupId, groupIds), reachable(key)))
    .orderBy(asc(members.userId));
}

/** Those of the users that are in reach of the connection. */
export async function reachedOf(
  tx: Executor,
  key: ConnectionKey,
  userIds: string[],
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await tx
    .select({ userId: users.userId })
    .from(users)
    .where(and(reachable(key), inArray(users.userId, userIds)));
  return rows.map(({ userId }) => userId);
}

export async function insertGroup(tx: Transaction, row: GroupRow): Promise<void> {
  await tx.insert(groups).values(row);
}

export async function setGroup(
  tx: Transaction,
  key: GroupKey,
  set: Partial<GroupRow>,
): Promise<void> {
  await tx.update(groups).set(set).where(byKey(key));
}

export async function deleteGroupRow(tx: Transaction, key: GroupKey): Promise<void> {
  await tx.delete(groups).where(byKey(key));
}

export async function addMembers(tx: Transaction, key: GroupKey, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { tenantId, connectionId, groupId } = key;
  await tx.execute(sql`insert into provisioned_group_members (tenant_id, connection_id, group_id, user_id)
    select ${tenantId}, ${connectionId}, ${groupId}, given.id from unnest(${sql.param(userIds)}::text[]) as given(id)
    on conflict (tenant_id, connection_id, group_id, user_id) do nothing`);
}

export async function removeMembers(
  tx: Transaction,
  key: GroupKey,
  userIds: string[],
): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .delete(members)
    .where(and(membersOf(key), eq(members.groupId, key.groupId), inArray(members.userId, userIds)));
}
