import { and, asc, count, desc, eq, gt, or, sql } from "drizzle-orm";
import { rolesWith } from "@/lib/access/roles";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { accessRequests, users } from "@/lib/database/schema/schema";
import { findHolders } from "./held-roles";
import { guardedRoles } from "./role-policy";
import { type UserKey, type UserRow, usersOf } from "./rows";

export type AccessRequestRow = typeof accessRequests.$inferSelect;

const keptMs = 30 * 86_400_000;
const maxListed = 200;
/** The maximum recipients of a request's mails. */
const maxMailed = 10;

const shown = { request: accessRequests, user: users };
export type AskedRow = { request: AccessRequestRow; user: UserRow };

const isRecent = () => gt(accessRequests.createdAt, new Date(Date.now() - keptMs));
const isOpen = () => and(eq(accessRequests.state, "open"), isRecent());
const ofUser = ({ tenantId, userId }: UserKey) =>
  and(eq(accessRequests.tenantId, tenantId), eq(accessRequests.userId, userId));

/** The user's requests of the last 30 days, and the open ones of the tenant: the oldest 200 together, the user's own first. */
export const selectAccessRequests = ({ tenantId, userId }: UserKey): Promise<AskedRow[]> =>
  db()
    .select(shown)
    .from(accessRequests)
    .innerJoin(...usersOf(tenantId, accessRequests.userId))
    .where(
      and(
        eq(accessRequests.tenantId, tenantId),
        or(isOpen(), and(eq(accessRequests.userId, userId), isRecent())),
      ),
    )
    .orderBy(
      desc(eq(accessRequests.userId, userId)),
      asc(accessRequests.createdAt),
      asc(accessRequests.requestId),
    )
    .limit(maxListed);

export async function findAccessRequest(
  tx: Executor,
  tenantId: string,
  requestId: string,
): Promise<AskedRow | undefined> {
  const byId = and(eq(accessRequests.tenantId, tenantId), eq(accessRequests.requestId, requestId));
  const [found] = await tx
    .select(shown)
    .from(accessRequests)
    .innerJoin(...usersOf(tenantId, accessRequests.userId))
    .where(and(byId, isRecent()));
  return found;
}

type Wish = Pick<AccessRequestRow, "tenantId" | "userId" | "siteId" | "roleId">;

/** The open request of a user for a role at a place. */
export async function findOpenWish(tx: Executor, wish: Wish): Promise<AskedRow | undefined> {
  const { siteId, roleId } = wish;
  const [found] = await tx
    .select(shown)
    .from(accessRequests)
    .innerJoin(...usersOf(wish.tenantId, accessRequests.userId))
    .where(
      and(
        ofUser(wish),
        eq(accessRequests.siteId, siteId),
        eq(accessRequests.roleId, roleId),
        isOpen(),
      ),
    );
  return found;
}

/** The number of open requests of the user, and of the tenant. */
export async function countOpen(
  tx: Executor,
  { tenantId, userId }: UserKey,
): Promise<{ own: number; all: number }> {
  const own = sql<number>`(count(*) filter (where ${accessRequests.userId} = ${userId}))::int`;
  const [row] = await tx
    .select({ own, all: count() })
    .from(accessRequests)
    .where(and(eq(accessRequests.tenantId, tenantId), isOpen()));
  return row ?? { own: 0, all: 0 };
}

/** Writes a request, replacing an earlier one for the same role and place. */
export async function upsertAccessRequest(tx: Transaction, row: AccessRequestRow): Promise<void> {
  const { requestId, reason, state, createdAt, decidedAt } = row;
  await tx
    .insert(accessRequests)
    .values(row)
    .onConflictDoUpdate({
      target: [
        accessRequests.tenantId,
        accessRequests.userId,
        accessRequests.siteId,
        accessRequests.roleId,
      ],
      set: { requestId, reason, state, createdAt, decidedAt },
    });
}

export async function setDecision(
  tx: Transaction,
  { tenantId, requestId }: Pick<AccessRequestRow, "tenantId" | "requestId">,
  decision: Pick<AccessRequestRow, "state" | "decidedAt">,
): Promise<void> {
  const byId = and(eq(accessRequests.tenantId, tenantId), eq(accessRequests.requestId, requestId));
  await tx.update(accessRequests).set(decision).where(byId);
}

/** The recipients of a request's mails: users whose roles may allow them to grant it. Whether they may is checked when the mail is sent. */
export function selectLikelyDeciders(
  on: Executor,
  { tenantId, userId, siteId, roleId }: Wish,
): Promise<string[]> {
  const roleIds = guardedRoles.includes(roleId)
    ? ["tenant.admin", roleId]
    : rolesWith("user.manage");
  return findHolders(on, { tenantId, siteId, roleIds, except: userId, max: maxMailed });
}

/** Deletes a withdrawn request: only its audit entries remain. */
export async function deleteAccessRequest(
  tx: Transaction,
  { tenantId, requestId }: Pick<AccessRequestRow, "tenantId" | "requestId">,
): Promise<void> {
  const byId = and(eq(accessRequests.tenantId, tenantId), eq(accessRequests.requestId, requestId));
  await tx.delete(accessRequests).where(byId);
}

/** Deletes a user's requests and their reasons, for the erasure. */
export async function deleteAccessRequestsOf(tx: Transaction, user: UserKey): Promise<void> {
  await tx.delete(accessRequests).where(ofUser(user));
}

/** All requests of a user. */
export const selectAllOf = (user: UserKey): Promise<AskedRow[]> =>
  db()
    .select(shown)
    .from(accessRequests)
    .innerJoin(...usersOf(user.tenantId, accessRequests.userId))
    .where(ofUser(user))
    .orderBy(asc(accessRequests.createdAt));
