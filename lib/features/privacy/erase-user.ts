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
 * Everything personal of one tenant but its audit trail. The id stays: entries, keys and revisions refer to it. Nothing where the tenant
 * has no row of the person: a membership is noted before it is made, and may never have been.
 */
async function eraseHere(tx: Transaction, acting: Acting, userId: string, reason: string) {
  const { tenantId } = acting;
  if (!(await eraseUserRow(tx, tenantId, userId))) return;
  for (const { erase } of Object.values(personalData)) await erase(tx, { tenantId, userId });
  // Not "reason": members of that name are erased with the person.
  const changes = { erasureReason: { after: reason } };
  await record(tx, acting, {
    action: "user.erased",
    target: { type: "user", id: userId },
    changes,
  });
}

/**
 * Erases a deactivated person to an id: name, login, e-mail address, preferences, sessions, comments, notes and shares, at home and in every tenant
 * where the person is a member; API keys are revoked. Addresses and agents of what the person did are erased at home: those in
 * another tenant's trail are that tenant's evidence. The trails keep the id and still verify. May be repeated, and goes on
 * where an earlier attempt stopped. Nothing is erased while another tenant would be left to users without an administrator.
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
  // The rest takes separate transactions, and may take a long time: nothing of the home tenant is held meanwhile.
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
