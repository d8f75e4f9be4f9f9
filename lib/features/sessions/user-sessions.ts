import { and, eq } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { sessions } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { demandReach, touching } from "@/lib/features/users/user-policy";
import { auditTarget, findTarget } from "@/lib/features/users/user-row";
import type { Page } from "@/lib/protocol/paging";
import type { Session } from "./contract";
import { type Asked, sessionPage } from "./service";

/** The living sessions of a user in this tenant, newest first. */
export async function listUserSessions(
  caller: Caller,
  userId: string,
  asked: Asked,
): Promise<Page<Session>> {
  await findTarget(db(), caller, userId, "session.manage");
  const rows = await db()
    .select()
    .from(sessions)
    .where(and(eq(sessions.tenantId, caller.tenantId), eq(sessions.userId, userId)));
  return sessionPage(rows, caller, asked);
}

/** Ends every session of a user in this tenant: they are refused at once. */
export async function endUserSessions(caller: Caller, userId: string): Promise<void> {
  await touching(caller, userId, "session.manage", async (tx, target) => {
    demandReach(caller, target, "session.manage");
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.tenantId, caller.tenantId), eq(sessions.userId, userId)))
      .returning({ ref: sessions.sessionRef });
    if (ended.length === 0) return;
    const changes = { sessions: { before: ended.length, after: 0 } };
    await record(tx, actingAs(caller), {
      action: "user.sessions-ended",
      target: auditTarget(target),
      changes,
    });
  });
}
