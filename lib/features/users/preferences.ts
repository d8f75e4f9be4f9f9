import { and, eq } from "drizzle-orm";
import { lockTenant } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { db, transaction } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import type { Preferences } from "@/lib/protocol/documents/preferences";

const mine = (caller: Caller) =>
  and(eq(users.tenantId, caller.tenantId), eq(users.userId, caller.userId));

export function getPreferences({ tenantId, userId }: Caller): Promise<Preferences> {
  return findPreferences(tenantId, userId);
}

/** A user's preferences in a tenant, for an export. */
export async function findPreferences(tenantId: string, userId: string): Promise<Preferences> {
  const [row] = await db()
    .select({ preferences: users.preferences })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
  return row?.preferences ?? {};
}

/** Replaces one's own preferences in this tenant. */
export async function setPreferences(
  caller: Caller,
  preferences: Preferences,
): Promise<Preferences> {
  return transaction(async (tx) => {
    await lockTenant(tx, caller.tenantId);
    const [before] = await tx
      .select({ preferences: users.preferences })
      .from(users)
      .where(mine(caller));
    await tx.update(users).set({ preferences }).where(mine(caller));
    const changes = { preferences: { before: before?.preferences, after: preferences } };
    const target = { type: "user", id: caller.userId, name: caller.login };
    await record(tx, actingAs(caller), { action: "user.preferences-changed", target, changes });
    return preferences;
  });
}
