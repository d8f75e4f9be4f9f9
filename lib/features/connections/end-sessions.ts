import type { Transaction } from "@/lib/database/open";
import { type Acting, record } from "@/lib/features/audit/service";
import { endDerivedSessions } from "@/lib/features/sessions/end-derived";
import { deleteRowsOfConnection } from "@/lib/features/sessions/rows";
import type { ConnectionRow } from "./rows";

/** The sessions that ended with a connection, by the person whose they were. */
export type EndedSessions = ReadonlyMap<string, string[]>;

/**
 * Ends the sessions that were opened through the connection, in the transaction that disables or deletes it, which raises the tenant's
 * access version. Verifiers of other services learn of it by the trail.
 */
export async function endSessionsOf(
  tx: Transaction,
  acting: Acting,
  connection: ConnectionRow,
): Promise<EndedSessions> {
  const ended = await deleteRowsOfConnection(tx, connection);
  const byPerson = new Map<string, string[]>();
  for (const { userId, sessionRef } of ended)
    byPerson.set(userId, [...(byPerson.get(userId) ?? []), sessionRef]);
  if (ended.length === 0) return byPerson;
  const { connectionId: id, name } = connection;
  await record(tx, acting, {
    action: "connection.sessions-ended",
    target: { type: "connection", id, name },
    changes: { sessions: { before: ended.length, after: 0 } },
  });
  return byPerson;
}

/** Ends what people opened from those in other tenants, once they have ended. */
export async function endDerivedOf(acting: Acting, ended: EndedSessions): Promise<void> {
  const { tenantId: homeTenantId } = acting;
  for (const [userId, refs] of ended)
    await endDerivedSessions(acting, { userId, homeTenantId }, refs);
}
