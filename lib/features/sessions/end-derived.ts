import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { actingAs, record } from "@/lib/features/audit/service";
import { tenantsOf } from "@/lib/features/users/membership-rows";
import { childRefsOf, deleteChildRows } from "./rows";

/** Ends the sessions of the caller in one tenant whose parents these are. Returns their refs. */
async function endChildren(caller: Caller, tenantId: string, parents: string[]): Promise<string[]> {
  const user = { tenantId, userId: caller.userId };
  if ((await childRefsOf(user, parents)).length === 0) return [];
  return withAccessChange(tenantId, async (tx) => {
    const ended = await deleteChildRows(tx, user, parents);
    for (const id of ended) {
      const acting = { ...actingAs(caller), tenantId };
      await record(tx, acting, { action: "session.ended", target: { type: "session", id } });
    }
    return ended;
  });
}

/**
 * Ends every session that was opened from this one by switches, directly or in several steps, in every tenant of the person:
 * ending a stolen session also ends what the thief opened with it. Each tenant is a separate transaction. The number of
 * steps is bounded, because each one ends at least one of the 20 sessions that a person may have in a tenant.
 */
export async function endDerivedSessions(caller: Caller, sessionRef: string): Promise<void> {
  const tenantIds = await tenantsOf(caller);
  for (let parents = [sessionRef]; parents.length > 0; ) {
    const ended: string[] = [];
    for (const tenantId of tenantIds) ended.push(...(await endChildren(caller, tenantId, parents)));
    parents = ended;
  }
}
