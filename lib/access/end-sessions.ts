import { and, eq, ne, sql } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { sessions, users } from "@/lib/database/schema/schema";

interface Person {
  tenantId: string;
  userId: string;
}

/**
 * Ends every session of a person in every tenant, in a transaction of the home tenant under `withAccessChange`: the home row's
 * credential epoch is raised, and sessions opened under a lower one are rejected with 401 on every node within 1 s.
 * The session `keptRef`, of the home tenant, gets the new epoch and stays valid. Returns how many sessions ended at home,
 * and whether the kept one was still valid.
 */
export async function endAllSessions(
  tx: Transaction,
  { tenantId, userId }: Person,
  keptRef = "",
): Promise<{ endedAtHome: number; isKept: boolean }> {
  const [raised] = await tx
    .update(users)
    .set({ credentialEpoch: sql`${users.credentialEpoch} + 1` })
    .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)))
    .returning({ credentialEpoch: users.credentialEpoch });
  const credentialEpoch = raised?.credentialEpoch ?? 0;
  const own = and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId));
  const current = and(
    own,
    eq(sessions.sessionRef, keptRef),
    eq(sessions.credentialEpoch, credentialEpoch - 1),
  );
  const kept = await tx
    .update(sessions)
    .set({ credentialEpoch })
    .where(current)
    .returning({ ref: sessions.sessionRef });
  const ended = await tx
    .delete(sessions)
    .where(and(own, ne(sessions.sessionRef, keptRef)))
    .returning({ ref: sessions.sessionRef });
  return { endedAtHome: ended.length, isKept: kept.length > 0 };
}

/** Ends the sessions of a user in this tenant only. Returns how many. */
export async function endSessionsHere(
  tx: Transaction,
  { tenantId, userId }: Person,
): Promise<number> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId)))
    .returning({ ref: sessions.sessionRef });
  return ended.length;
}

/** The epoch below which a person's sessions have ended, from the home row. */
export async function credentialEpochOf({ tenantId, userId }: Person): Promise<number> {
  const [home] = await db()
    .select({ credentialEpoch: users.credentialEpoch })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
  return home?.credentialEpoch ?? 0;
}
