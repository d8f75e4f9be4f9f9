import { forgetNetworks } from "@/lib/access/known-networks";
import type { Transaction } from "@/lib/database/open";
import { labelKey } from "@/lib/protocol/formats";
import { searchTextOf } from "./create";
import { deleteConfirmation } from "./email-confirmation";
import { deleteEmergencyAdministrator } from "./emergency-rows";
import { deleteLinks } from "./password-link-rows";
import { deleteRoles } from "./role-rows";
import { findUserRow, updateUserRow } from "./rows";

const erasedName = "Erased user";

/** Replaces the personal data in a user's row by the id, and removes roles and links. False when the tenant has no such row. */
export async function eraseUserRow(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const key = { tenantId, userId };
  const before = await findUserRow(tx, key);
  if (!before) return false;
  await forgetNetworks(tx, { tenantId, plane: "management", loginKey: before.loginKey });
  await forgetNetworks(tx, { tenantId, plane: "second-factor", loginKey: userId });
  const shown = { login: userId, name: erasedName, emailAddress: "" };
  await updateUserRow(tx, key, {
    ...shown,
    loginKey: labelKey(userId),
    searchText: searchTextOf(shown),
    isLocked: false,
    lockReason: null,
    lockedUntil: null,
    passwordHash: null,
    lastLoginAt: null,
    usedEmail: "",
    confirmedEmail: "",
    askedEmail: null,
    preferences: {},
    grants: "",
    erasedAt: new Date(),
  });
  await deleteRoles(tx, key);
  await deleteEmergencyAdministrator(tx, key);
  await deleteLinks(tx, key);
  await deleteConfirmation(tx, key);
  return true;
}
