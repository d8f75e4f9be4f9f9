import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { endAllSessions } from "@/lib/access/end-sessions";
import type { Transaction } from "@/lib/database/open";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import { assertMayUse } from "@/lib/features/users/account-access";
import { auditTarget, type Target } from "@/lib/features/users/find-target";
import { withUserForUpdate } from "@/lib/features/users/user-policy";
import { ApiError } from "@/lib/protocol/errors";
import { deleteFactorsOf } from "./rows";

/** Removes all factors of the user. Returns how many were set up; if there was none, no session ends. */
async function removeAll(
  tx: Transaction,
  acting: Acting,
  target: Pick<Target, "userId" | "login">,
  reason: string,
): Promise<number> {
  const user = { tenantId: acting.tenantId, userId: target.userId };
  const removed = await deleteFactorsOf(tx, user);
  if (removed === 0) return 0;
  await endAllSessions(tx, user);
  await record(tx, acting, {
    action: "user.second-factors-reset",
    target: auditTarget(target),
    changes: { secondFactors: { before: removed, after: 0 }, reason: { after: reason } },
  });
  return removed;
}

/**
 * Removes lost second factors: the password is then enough to sign in, so it requires the same permissions as a link to set the
 * password. Ends the user's sessions in every tenant.
 */
export async function resetSecondFactors(
  caller: Caller,
  userId: string,
  reason: string,
): Promise<void> {
  await withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    await assertMayUse("second-factors", { tx, caller, target });
    if ((await removeAll(tx, actingAs(caller), target, reason)) === 0)
      throw new ApiError("second-factor.not-set-up", "This user has no second factor.");
  });
}

/** For the operator of the server. Returns how many second factors were set up. */
export const removeSecondFactors = (acting: Acting, target: Pick<Target, "userId" | "login">) =>
  withAccessChange(acting.tenantId, (tx) => removeAll(tx, acting, target, "by the operator"));
