import type { Caller } from "@/lib/access/caller";
import { credentialEpochOf, endAllSessions, endSessionsHere } from "@/lib/access/end-sessions";
import { db } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertMayUse } from "@/lib/features/users/account-access";
import { auditTarget, findTarget } from "@/lib/features/users/find-target";
import { withUserForUpdate } from "@/lib/features/users/user-policy";
import type { Page } from "@/lib/protocol/parameters";
import type { Session } from "./contract";
import { sessionRowsOf } from "./rows";
import { type SessionPageQuery, sessionPage } from "./service";

/** The living sessions of a user in this tenant, newest first. */
export async function listUserSessions(
  caller: Caller,
  userId: string,
  query: SessionPageQuery,
): Promise<Page<Session>> {
  const target = await findTarget(db(), caller, userId, "session.manage");
  const rows = await sessionRowsOf({ tenantId: caller.tenantId, userId });
  const epoch = await credentialEpochOf({ tenantId: target.homeTenantId, userId });
  return sessionPage(
    rows.filter((row) => row.credentialEpoch >= epoch),
    caller,
    query,
  );
}

/** Ends every session of a user: those of this tenant, and in the user's home tenant those of every tenant. */
export async function endUserSessions(caller: Caller, userId: string): Promise<void> {
  await withUserForUpdate(caller, userId, "session.manage", async (tx, target) => {
    await assertMayUse("end-of-sessions", { tx, caller, target });
    const isHome = target.homeTenantId === caller.tenantId;
    const person = { tenantId: caller.tenantId, userId };
    const ended = isHome
      ? (await endAllSessions(tx, person)).endedAtHome
      : await endSessionsHere(tx, person);
    if (ended === 0 && !isHome) return;
    const changes = { sessions: { before: ended, after: 0 } };
    await record(tx, actingAs(caller), {
      action: "user.sessions-ended",
      target: auditTarget(target),
      changes,
    });
  });
}
