import type { z } from "zod";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import type { Transaction } from "@/lib/database/open";
import { eraseIdentityFromTrail, erasePersonFromTrail } from "@/lib/features/audit/erase";
import { type Acting, actingAs, actingAsSystem, record } from "@/lib/features/audit/service";
import { eraseRequestsOf } from "@/lib/features/request-log/write";
import { assertMayUse } from "@/lib/features/users/account-access";
import type { User } from "@/lib/features/users/contract";
import { eraseUserRow } from "@/lib/features/users/erase";
import { isNeededAdmin, neededElsewhere } from "@/lib/features/users/last-admin";
import { otherTenantsOf } from "@/lib/features/users/membership-rows";
import { getUser } from "@/lib/features/users/service";
import { withUserForUpdate } from "@/lib/features/users/user-policy";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import type { EraseUser } from "./contract";
import { personalData } from "./personal-data";

/**
 * Erases all personal data in one tenant except its audit trail. The id remains: entries, keys and revisions refer to it. Does nothing
 * if the tenant has no row of the user: a membership is recorded before it is created, and may never have been.
 */
async function eraseHere(tx: Transaction, acting: Acting, userId: string, reason: string) {
  const { tenantId } = acting;
  if (!(await eraseUserRow(tx, tenantId, userId))) return;
  for (const { erase } of Object.values(personalData)) await erase(tx, { tenantId, userId });
  // Not "reason": members of that name are erased with the user.
  const changes = { erasureReason: { after: reason } };
  await record(tx, acting, {
    action: "user.erased",
    target: { type: "user", id: userId },
    changes,
  });
}

/**
 * Erases a deactivated user except for the id: name, login, e-mail address, preferences, sessions, comments, notes and shares, in the home
 * tenant and in every tenant where the user is a member; API keys are revoked. The IP addresses and user agents of the user's actions are
 * erased in the home tenant: those in another tenant's audit trail are that tenant's evidence. The trails retain the id and still verify.
 * May be repeated, and resumes where an earlier attempt stopped. Erases nothing if another tenant would have users but no administrator.
 * Throws 403, 404 and 409.
 */
export async function eraseUser(
  caller: Caller,
  userId: string,
  { reason }: z.output<typeof EraseUser>,
): Promise<User> {
  const { tenantId } = caller;
  const elsewhere = await otherTenantsOf({ homeTenantId: tenantId, userId });
  await withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    await assertMayUse("erasure", { tx, caller, target });
    if (target.state !== "deactivated")
      throw new ApiError("user.not-deactivated", "Deactivate the user first, then erase.");
    await eraseHere(tx, actingAs(caller), userId, reason);
    await eraseRequestsOf(tx, tenantId, userId);
  });
  // The rest runs in separate transactions and may take a long time, during which no row of the home tenant is locked.
  await caller.held?.commit();
  for (const memberTenantId of elsewhere) {
    const acting = actingAsSystem(memberTenantId, "home-tenant");
    await withAccessChange(memberTenantId, async (tx) => {
      if (await isNeededAdmin(tx, memberTenantId, userId)) throw neededElsewhere();
      await eraseHere(tx, acting, userId, "Erased at home.");
    });
  }
  const atHome = await erasePersonFromTrail(tenantId, userId);
  log().info({ tenantId, userId, entries: atHome }, "a person was erased from the audit trail");
  for (const memberTenantId of elsewhere) await eraseIdentityFromTrail(memberTenantId, userId);
  return getUser(caller, userId);
}
