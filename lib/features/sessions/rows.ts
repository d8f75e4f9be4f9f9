import { and, desc, eq, inArray, isNull, or } from "drizzle-orm";
import { withAccessChange } from "@/lib/access/access-versions";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { sessions } from "@/lib/database/schema/schema";
import { type Acting, record } from "@/lib/features/audit/service";
import { type Person, tenantsOf } from "@/lib/features/users/membership-rows";
import type { UserKey } from "@/lib/features/users/rows";

/**
 * The statements on `sessions`. Only lib/access has others: it looks up credentials (credential-store.ts), records their
 * use (last-used.ts) and ends all sessions of a user (lib/access/end-sessions.ts).
 */
export type SessionRow = typeof sessions.$inferSelect;
type NewSessionRow = typeof sessions.$inferInsert;

const ofUser = ({ tenantId, userId }: UserKey) =>
  and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId));

const byRef = (tenantId: string, sessionRef: string) =>
  and(eq(sessions.tenantId, tenantId), eq(sessions.sessionRef, sessionRef));

const childrenOf = (user: UserKey, parentRefs: string[]) =>
  and(ofUser(user), inArray(sessions.parentRef, parentRefs));

/** All stored sessions of a user, including ended ones. */
export const sessionRowsOf = (user: UserKey, max = 1000): Promise<SessionRow[]> =>
  db().select().from(sessions).where(ofUser(user)).limit(max);

export async function findSessionRow(
  tenantId: string,
  sessionRef: string,
): Promise<SessionRow | undefined> {
  const [row] = await db().select().from(sessions).where(byRef(tenantId, sessionRef));
  return row;
}

/** Refs of the user's sessions that were opened from one of these. */
export async function childRefsOf(user: UserKey, parentRefs: string[]): Promise<string[]> {
  const found = await db()
    .select({ ref: sessions.sessionRef })
    .from(sessions)
    .where(childrenOf(user, parentRefs));
  return found.map(({ ref }) => ref);
}

export async function insertSessionRow(tx: Transaction, row: NewSessionRow): Promise<void> {
  await tx.insert(sessions).values(row);
}

/** Updates the time and methods of a session's authentication. False if it has ended. */
export async function setAuthentication(
  tx: Transaction,
  {
    tenantId,
    userId,
    sessionRef,
    credentialEpoch,
  }: UserKey & Pick<SessionRow, "sessionRef" | "credentialEpoch">,
  proof: Pick<NewSessionRow, "authenticatedAt" | "authenticatedBy">,
): Promise<boolean> {
  const same = and(eq(sessions.userId, userId), eq(sessions.credentialEpoch, credentialEpoch));
  const updated = await tx
    .update(sessions)
    .set(proof)
    .where(and(byRef(tenantId, sessionRef), same))
    .returning({ ref: sessions.sessionRef });
  return updated.length > 0;
}

/** Deletes the user's sessions that were opened from one of these. Returns their refs. */
export async function deleteChildRows(
  tx: Transaction,
  user: UserKey,
  parentRefs: string[],
): Promise<string[]> {
  const deleted = await tx
    .delete(sessions)
    .where(childrenOf(user, parentRefs))
    .returning({ ref: sessions.sessionRef });
  return deleted.map(({ ref }) => ref);
}

/** Deletes one session of the user. False when there is none. */
export async function deleteSessionRow(
  tx: Executor,
  user: UserKey,
  sessionRef: string,
): Promise<boolean> {
  const deleted = await tx
    .delete(sessions)
    .where(and(byRef(user.tenantId, sessionRef), eq(sessions.userId, user.userId)))
    .returning({ ref: sessions.sessionRef });
  return deleted.length > 0;
}

interface ConnectionKey {
  tenantId: string;
  connectionId: string;
}

/** Sessions opened through a connection, and those of an older release that did not record the connection. */
const through = ({ tenantId, connectionId }: ConnectionKey) =>
  and(
    eq(sessions.tenantId, tenantId),
    or(
      eq(sessions.connectionId, connectionId),
      and(isNull(sessions.connectionId), eq(sessions.authenticatedBy, "connection")),
    ),
  );

const whose = { userId: sessions.userId, sessionRef: sessions.sessionRef };
export type EndedSession = Pick<SessionRow, "userId" | "sessionRef">;

/** Deletes the sessions that were opened through a connection. Returns whose they were. */
export const deleteRowsOfConnection = (
  tx: Transaction,
  key: ConnectionKey,
): Promise<EndedSession[]> => tx.delete(sessions).where(through(key)).returning(whose);

/** A session at the provider, or an account there: all sessions of the account if none is named. */
export interface SignedOut {
  sidHash: Buffer | undefined;
  identity: { identityId: string; userId: string } | undefined;
}

/**
 * Deletes the sessions that belong to a session of the provider, or to an identity; if both are given, also those of the identity
 * without a session of the provider. Returns whose they were.
 */
export async function deleteRowsOfSignIn(
  tx: Transaction,
  key: ConnectionKey,
  { sidHash, identity }: SignedOut,
): Promise<EndedSession[]> {
  const ofPerson =
    identity &&
    and(
      eq(sessions.userId, identity.userId),
      or(eq(sessions.identityId, identity.identityId), isNull(sessions.identityId)),
    );
  const named = sidHash
    ? or(
        eq(sessions.providerSidHash, sidHash),
        ofPerson && and(isNull(sessions.providerSidHash), ofPerson),
      )
    : ofPerson;
  if (!named) return [];
  return tx
    .delete(sessions)
    .where(and(through(key), named))
    .returning(whose);
}

export async function deleteSessionRowsOf(tx: Transaction, user: UserKey): Promise<void> {
  await tx.delete(sessions).where(ofUser(user));
}

/** Deletes a user's oldest sessions beyond a maximum. Returns their refs. */
export async function deleteOldestRows(
  tx: Transaction,
  user: UserKey,
  maxSessions: number,
): Promise<string[]> {
  const oldest = await tx
    .select({ ref: sessions.sessionRef })
    .from(sessions)
    .where(ofUser(user))
    .orderBy(desc(sessions.createdAt), desc(sessions.sessionRef))
    .offset(maxSessions);
  const refs = oldest.map(({ ref }) => ref);
  if (refs.length === 0) return refs;
  await tx.delete(sessions).where(and(ofUser(user), inArray(sessions.sessionRef, refs)));
  return refs;
}

/** Ends the user's sessions in one tenant that were opened from these. Returns their refs. */
async function endChildren(
  acting: Acting,
  user: { tenantId: string; userId: string },
  parents: string[],
): Promise<string[]> {
  if ((await childRefsOf(user, parents)).length === 0) return [];
  const { tenantId } = user;
  return withAccessChange(tenantId, async (tx) => {
    const ended = await deleteChildRows(tx, user, parents);
    for (const id of ended)
      await record(
        tx,
        { ...acting, tenantId },
        { action: "session.ended", target: { type: "session", id } },
      );
    return ended;
  });
}

/**
 * Ends every session that was opened from these by switches, directly or in several steps, in every tenant of the person:
 * ending a stolen session also ends what the thief opened with it. Each tenant is a separate transaction. The number of
 * steps is bounded, because each one ends at least one of the 20 sessions that a person may have in a tenant.
 */
export async function endDerivedSessions(
  acting: Acting,
  person: Person,
  sessionRefs: string[],
): Promise<void> {
  const { userId } = person;
  const tenantIds = await tenantsOf(person);
  for (let parents = sessionRefs; parents.length > 0; ) {
    const ended: string[] = [];
    for (const tenantId of tenantIds)
      ended.push(...(await endChildren(acting, { tenantId, userId }, parents)));
    parents = ended;
  }
}
