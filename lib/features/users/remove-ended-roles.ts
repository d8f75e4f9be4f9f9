import { withAccessChange } from "@/lib/access/access-versions";
import { parseGrants } from "@/lib/access/credential-store";
import { recordAll } from "@/lib/features/audit/service";
import { actingAsSystem } from "@/lib/features/audit/system";
import { selectHeldRoles, writeHeldRoles } from "./held-roles";
import { voidLinksOf } from "./password-link-rows";
import { grantsOf } from "./role-assignments";
import { endsOf, shownRoles } from "./role-ends";
import { deleteEndedRoles, type HeldRole, isAnyRoleEnded } from "./role-rows";
import { loginsOf } from "./rows";

const forGood = (role: HeldRole) => ({ ...role, expiresAt: null });
const shown = (held: readonly HeldRole[], ended: readonly HeldRole[] = []) =>
  shownRoles(parseGrants(grantsOf([...held, ...ended.map(forGood)])), endsOf(held));

/**
 * Removes the rows of roles that have ended, and says so in the trail, to webhooks and to the people. The roles gave nothing any more
 * since their end: this changes nobody's rights.
 */
export async function removeEndedRoles(tenantId: string, now: Date): Promise<void> {
  if (!(await isAnyRoleEnded(tenantId, now))) return;
  await withAccessChange(tenantId, async (tx) => {
    const removed = await deleteEndedRoles(tx, tenantId, now);
    const userIds = [...new Set(removed.map(({ userId }) => userId))];
    const held = await selectHeldRoles(tx, tenantId, userIds);
    const logins = await loginsOf(tenantId, userIds, tx);
    const changes = userIds.map((userId) => {
      const ofUser = (role: HeldRole) => role.userId === userId;
      return { userId, left: held.filter(ofUser), ended: removed.filter(ofUser) };
    });
    await writeHeldRoles(
      tx,
      tenantId,
      changes.map(({ userId, left }) => ({ userId, before: left, after: left })),
    );
    await voidLinksOf(tx, tenantId, userIds);
    await recordAll(
      tx,
      actingAsSystem(tenantId, "role-end"),
      changes.map(({ userId, left, ended }) => ({
        action: "user.roles-changed",
        target: { type: "user", id: userId, name: logins.get(userId) ?? userId },
        changes: { roles: { before: shown(left, ended), after: shown(left) } },
      })),
    );
  });
}
