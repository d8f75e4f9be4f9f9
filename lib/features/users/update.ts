import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { assertSteppedUp } from "@/lib/access/step-up";
import { actingAs, record } from "@/lib/features/audit/service";
import type { AssertUnchanged } from "@/lib/http/conditional-write";
import { assertMayUse } from "./account-access";
import type { UserChange } from "./administration-contract";
import type { User } from "./contract";
import { searchTextOf } from "./create";
import { askToConfirm } from "./email-confirmation";
import { auditTarget } from "./find-target";
import { syncMemberships } from "./memberships";
import { voidLinks } from "./password-links";
import { updateUserRow } from "./rows";
import { getUser } from "./service";
import { assertNotErased, withUserForUpdate } from "./user-policy";

/** Changes a person's name or e-mail address, here and then where other tenants show copies of them. Throws 403 in any tenant but the person's home. */
export async function updateUser(
  caller: Caller,
  userId: string,
  change: z.output<typeof UserChange>,
  assertUnchanged: AssertUnchanged,
): Promise<User> {
  const { tenantId } = caller;
  await withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    assertNotErased(target);
    await assertMayUse("details", { tx, caller, target });
    await assertUnchanged(() => getUser(caller, userId, tx));
    const { login } = target;
    const before = { name: target.name, emailAddress: target.emailAddress };
    const after = {
      name: change.name ?? before.name,
      emailAddress: change.emailAddress ?? before.emailAddress,
    };
    const changed = (["name", "emailAddress"] as const).filter(
      (field) => before[field] !== after[field],
    );
    if (changed.length === 0) return;
    if (changed.includes("emailAddress")) {
      await assertMayUse("email-address", { tx, caller, target });
      // Links to reset the password go there.
      await assertSteppedUp(caller, "policy");
    }
    const searchText = searchTextOf({ login, ...after });
    const isOwnAddress = userId === caller.userId && changed.includes("emailAddress");
    const usedEmail = isOwnAddress ? { usedEmail: after.emailAddress } : {};
    await updateUserRow(tx, { tenantId, userId }, { ...after, ...usedEmail, searchText });
    if (changed.includes("emailAddress")) {
      await voidLinks(tx, { tenantId, userId }, "email");
      await askToConfirm(tx, { ...target, tenantId, ...after });
    }
    const changes = Object.fromEntries(
      changed.map((field) => [field, { before: before[field], after: after[field] }]),
    );
    await record(tx, actingAs(caller), {
      action: "user.updated",
      target: auditTarget(target),
      changes,
    });
  });
  await syncMemberships({ userId, homeTenantId: tenantId });
  return getUser(caller, userId);
}
