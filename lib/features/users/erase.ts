import { and, eq } from "drizzle-orm";
import { forgetNetworks } from "@/lib/access/known-networks";
import type { Transaction } from "@/lib/database/open";
import { passwordLinks, roleAssignments, users } from "@/lib/database/schema/schema";
import { labelKey } from "@/lib/protocol/formats";
import { searchTextOf } from "./create";

const erasedName = "Erased user";

/** Replaces what a tenant's row says of a person by the id, and takes roles and links away. False when the tenant has no such row. */
export async function eraseUserRow(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const [before] = await tx
    .select({ loginKey: users.loginKey })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
  if (!before) return false;
  await forgetNetworks(tx, { tenantId, plane: "management", ...before });
  const shown = { login: userId, name: erasedName, emailAddress: "" };
  await tx
    .update(users)
    .set({
      ...shown,
      loginKey: labelKey(userId),
      searchText: searchTextOf(shown),
      isLocked: false,
      lockReason: null,
      lockedUntil: null,
      passwordHash: null,
      lastLoginAt: null,
      preferences: {},
      grants: "",
      erasedAt: new Date(),
    })
    .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
  await tx
    .delete(roleAssignments)
    .where(and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId)));
  await tx
    .delete(passwordLinks)
    .where(and(eq(passwordLinks.tenantId, tenantId), eq(passwordLinks.userId, userId)));
  return true;
}
