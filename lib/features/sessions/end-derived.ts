import { withAccessChange } from "@/lib/access/access-versions";
import { type Acting, record } from "@/lib/features/audit/service";
import { type Person, tenantsOf } from "@/lib/features/users/membership-rows";
import { childRefsOf, deleteChildRows } from "./rows";

/** Ends the sessions of the person in one tenant whose parents these are. Returns their refs. */
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
