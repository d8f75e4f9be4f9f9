import { and, eq, lt } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { sessions } from "@/lib/database/schema/schema";

/** How long an expired session is still told apart from an unknown one. */
export const keptMilliseconds = 30 * 24 * 3600 * 1000;

/** Forgets the tenant's sessions that expired more than 30 days ago; called by the hourly cleaning. */
export async function forgetOldSessions(tenantId: string): Promise<void> {
  const before = new Date(Date.now() - keptMilliseconds);
  await db()
    .delete(sessions)
    .where(and(eq(sessions.tenantId, tenantId), lt(sessions.expiresAt, before)));
}
