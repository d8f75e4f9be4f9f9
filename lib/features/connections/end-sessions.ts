import type { Transaction } from "@/lib/database/open";
import { type Acting, record } from "@/lib/features/audit/service";
import { endDerivedSessions } from "@/lib/features/sessions/end-derived";
import {
  deleteRowsOfConnection,
  deleteRowsOfSignIn,
  type EndedSession,
  type SignedOut,
} from "@/lib/features/sessions/rows";
import type { ConnectionRow } from "./rows";

/** The sessions that ended with a connection, by the person whose they were. */
export type EndedSessions = ReadonlyMap<string, string[]>;

function byPerson(ended: EndedSession[]): EndedSessions {
  const found = new Map<string, string[]>();
  for (const { userId, sessionRef } of ended)
    found.set(userId, [...(found.get(userId) ?? []), sessionRef]);
  return found;
}

/** One entry for all: verifiers of other services learn by it that what they cache of the tenant is old. */
async function recordAll(
  tx: Transaction,
  acting: Acting,
  { connectionId: id, name }: ConnectionRow,
  { length }: EndedSession[],
): Promise<void> {
  if (length === 0) return;
  await record(tx, acting, {
    action: "connection.sessions-ended",
    target: { type: "connection", id, name },
    changes: { sessions: { before: length, after: 0 } },
  });
}

/**
 * Ends the sessions that were opened through the connection, in the transaction that disables or deletes it, which raises the tenant's
 * access version.
 */
export async function endSessionsOf(
  tx: Transaction,
  acting: Acting,
  connection: ConnectionRow,
): Promise<EndedSessions> {
  const ended = await deleteRowsOfConnection(tx, connection);
  await recordAll(tx, acting, connection, ended);
  return byPerson(ended);
}

/** As many as one person may have. A provider that names the same session for more people gets one entry for all of them. */
const maxEntries = 20;

/** Ends the sessions that came from a session or an identity at the provider, in a transaction that raises the access version. */
export async function endSessionsOfSignIn(
  tx: Transaction,
  acting: Acting,
  connection: ConnectionRow,
  signedOut: SignedOut,
): Promise<EndedSessions> {
  const ended = await deleteRowsOfSignIn(tx, connection, signedOut);
  if (ended.length > maxEntries) await recordAll(tx, acting, connection, ended);
  else
    for (const { sessionRef: id } of ended)
      await record(tx, acting, { action: "session.ended", target: { type: "session", id } });
  return byPerson(ended);
}

/** Ends what people opened from those in other tenants, once they have ended. */
export async function endDerivedOf(acting: Acting, ended: EndedSessions): Promise<void> {
  const { tenantId: homeTenantId } = acting;
  for (const [userId, refs] of ended)
    await endDerivedSessions(acting, { userId, homeTenantId }, refs);
}
