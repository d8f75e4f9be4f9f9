import { and, eq } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { db, type Transaction } from "@/lib/database/open";
import { sessions } from "@/lib/database/schema/schema";
import type { Session } from "./contract";
import { toSession } from "./service";

const of = (tenantId: string, userId: string) =>
  and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId));

/** All sessions of a user that are kept, also those that have ended. */
export async function exportSessions(caller: Caller, userId: string): Promise<Session[]> {
  const rows = await db().select().from(sessions).where(of(caller.tenantId, userId)).limit(1000);
  return rows.map((row) => toSession(row, caller));
}

export async function eraseSessionsOf(tx: Transaction, tenantId: string, userId: string) {
  await tx.delete(sessions).where(of(tenantId, userId));
}
