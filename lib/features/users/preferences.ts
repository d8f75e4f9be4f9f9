import { lockTenant } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { db, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { Preferences } from "@/lib/protocol/documents/preferences";
import { findUserRow, updateUserRow } from "./rows";

export function getPreferences({ tenantId, userId }: Caller): Promise<Preferences> {
  return findPreferences(tenantId, userId);
}

/** A user's preferences in a tenant, for an export. */
export async function findPreferences(tenantId: string, userId: string): Promise<Preferences> {
  const row = await findUserRow(db(), { tenantId, userId });
  return row?.preferences ?? {};
}

/** Replaces one's own preferences in this tenant. */
export async function setPreferences(
  caller: Caller,
  preferences: Preferences,
  assertUnchanged: AssertUnchanged,
): Promise<Preferences> {
  return transaction(async (tx) => {
    await lockTenant(tx, caller.tenantId);
    const before = await findUserRow(tx, caller);
    await assertUnchanged(() => before?.preferences ?? {});
    await updateUserRow(tx, caller, { preferences });
    const changes = { preferences: { before: before?.preferences, after: preferences } };
    const target = { type: "user", id: caller.userId, name: caller.login };
    await record(tx, actingAs(caller), { action: "user.preferences-changed", target, changes });
    return preferences;
  });
}
