import { forgetAccess, lockTenant, raiseAccessVersion } from "@/lib/access/access-versions";
import { type Transaction, transaction } from "@/lib/database/open";
import { type Acting, recordAll } from "@/lib/features/audit/service";
import { writeHeldRoles } from "@/lib/features/users/held-roles";
import { assertAdminStays } from "@/lib/features/users/last-admin";
import { voidLinksOf } from "@/lib/features/users/password-link-rows";
import { grantsOf } from "@/lib/features/users/role-assignments";
import { cellOf, endsOf, isForGood, shownRoles } from "@/lib/features/users/role-ends";
import { isRejection } from "@/lib/protocol/errors";
import { type Plan, planGroupRoles, rolesOf, type Scope } from "./group-plan";

const adminCell = cellOf({ siteId: "", roleId: "tenant.admin" });
const isAdmin = (roles: Plan["before"]) =>
  roles.some((role) => cellOf(role) === adminCell && isForGood(role));
const losesAdmin = ({ before, after }: Plan) => isAdmin(before) && !isAdmin(after);
const shown = (roles: Plan["before"]) => shownRoles(rolesOf(roles), endsOf(roles));

async function carryOut(tx: Transaction, acting: Acting, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return;
  const { tenantId } = acting;
  await writeHeldRoles(tx, tenantId, plans);
  const felt = plans.filter(({ before, after }) => grantsOf(before) !== grantsOf(after));
  if (felt.length === 0) return;
  await raiseAccessVersion(tx, tenantId);
  await voidLinksOf(
    tx,
    tenantId,
    felt.map(({ userId }) => userId),
  );
  await recordAll(
    tx,
    acting,
    felt.map(({ userId, login, before, after }) => ({
      action: "user.roles-changed",
      target: { type: "user", id: userId, name: login },
      changes: { roles: { before: shown(before), after: shown(after) } },
    })),
  );
}

/** Called for one user after the other, so that of two who would lose the role, the second counts as the last administrator. */
async function demote(tx: Transaction, acting: Acting, plan: Plan, isKept: boolean): Promise<void> {
  const { tenantId } = acting;
  const { userId, before, after } = plan;
  try {
    await assertAdminStays(tx, tenantId, { userId, roles: rolesOf(before) });
    return carryOut(tx, acting, [plan]);
  } catch (error) {
    if (!isKept || !isRejection(error) || error.code !== "user.last-admin") throw error;
    const kept = before.filter((role) => cellOf(role) === adminCell);
    const others = after.filter((role) => cellOf(role) !== adminCell);
    return carryOut(tx, acting, [{ ...plan, after: [...others, ...kept] }]);
  }
}

/**
 * Grants users the roles of their groups and revokes those of groups they left; nothing else does. Call it in a transaction that locks the
 * tenant's row (`withGroupChange`). For the last administrator it throws 409 `user.last-admin`, or with `hasToSucceed` keeps the role until
 * another user has it.
 */
export async function syncGroupRoles(
  tx: Transaction,
  acting: Acting,
  scope: Scope,
  { hasToSucceed = false } = {},
): Promise<void> {
  const plans = await planGroupRoles(tx, acting.tenantId, scope);
  await carryOut(
    tx,
    acting,
    plans.filter((plan) => !losesAdmin(plan)),
  );
  for (const plan of plans.filter(losesAdmin)) await demote(tx, acting, plan, hasToSucceed);
}

/** Runs a transaction that may change roles from groups: it locks the tenant's row first, and clears the process's access cache after. */
export async function withGroupChange<Result>(
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      return work(tx);
    });
  } finally {
    forgetAccess(tenantId);
  }
}
