import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { users } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import type { UserChange } from "./administration-contract";
import type { User } from "./contract";
import { searchTextOf } from "./create";
import { syncMemberships } from "./memberships";
import { voidLinks } from "./password-links";
import { getUser } from "./service";
import { assertHomeTenant, assertWithinScope, withUserForUpdate } from "./user-policy";
import { auditTarget } from "./user-row";

/** Changes a person's name or e-mail address, here and then where other tenants show copies of them. Throws 403 in any tenant but the person's home. */
export async function updateUser(
  caller: Caller,
  userId: string,
  change: z.output<typeof UserChange>,
): Promise<User> {
  const { tenantId } = caller;
  await withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    assertHomeTenant(caller, target);
    assertWithinScope(caller, target, "user.manage");
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
    await tx
      .update(users)
      .set({ ...after, searchText: searchTextOf({ login, ...after }) })
      .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
    if (changed.includes("emailAddress")) await voidLinks(tx, { tenantId, userId }, "email");
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
