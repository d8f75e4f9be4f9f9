import type { Caller } from "@/lib/access/caller";
import type { Transaction } from "@/lib/database/open";
import { deleteChallengesOf } from "./challenge-rows";
import type { Session } from "./contract";
import { deleteSessionRowsOf, sessionRowsOf } from "./rows";
import { toSession } from "./service";

/** All sessions of a user that are stored, also those that have ended. */
export async function exportSessions(caller: Caller, userId: string): Promise<Session[]> {
  const rows = await sessionRowsOf({ tenantId: caller.tenantId, userId });
  return rows.map((row) => toSession(row, caller));
}

export async function eraseSessionsOf(tx: Transaction, tenantId: string, userId: string) {
  await deleteSessionRowsOf(tx, { tenantId, userId });
  await deleteChallengesOf(tx, { tenantId, userId });
}
