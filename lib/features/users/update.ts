import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { assertSteppedUp } from "@/lib/access/step-up";
import type { Transaction } from "@/lib/database/open";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import type { AssertUnchanged } from "@/lib/http/answer";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { assertMayUse } from "./account-access";
import type { UserChange } from "./administration-contract";
import type { User } from "./contract";
import { searchTextOf } from "./create";
import { askToConfirm } from "./email-confirmation";
import { auditTarget, type Target } from "./find-target";
import { syncMemberships } from "./memberships";
import { voidLinks } from "./password-links";
import { findPersonByLogin, type NewUserRow, updateUserRow } from "./rows";
import { getUser } from "./service";
import { assertNotErased, withUserForUpdate } from "./user-policy";

/** The details of a user. */
export type Details = Pick<Target, "login" | "name" | "emailAddress">;

const detailsOf = ({ login, name, emailAddress }: Details): Details => ({
  login,
  name,
  emailAddress,
});

const fields = ["login", "name", "emailAddress"] as const;

/** Which of them differ. */
const differing = (before: Details, after: Details) =>
  fields.filter((field) => before[field] !== after[field]);

async function assertLoginFree(tx: Transaction, tenantId: string, before: Details, login: string) {
  const loginKey = labelKey(login);
  if (loginKey === labelKey(before.login)) return;
  if (!(await findPersonByLogin(tenantId, loginKey, tx))) return;
  const detail = `There is already a user with the login "${login}".`;
  throw new ApiError("user.login-taken", detail, "/login");
}

/**
 * Writes the changed details of a user, and records them. A new e-mail address voids existing links. Call it within
 * `withAccessChange`, after the permission was checked. Throws 409 for a login in use.
 */
export async function writeDetails(
  tx: Transaction,
  acting: Acting,
  { target, after, more = {} }: { target: Target; after: Details; more?: Partial<NewUserRow> },
): Promise<void> {
  const { tenantId } = acting;
  const { userId } = target;
  const changed = differing(target, after);
  if (changed.length === 0) return;
  await assertLoginFree(tx, tenantId, target, after.login);
  const keys = { loginKey: labelKey(after.login), searchText: searchTextOf(after) };
  await updateUserRow(tx, { tenantId, userId }, { ...detailsOf(after), ...keys, ...more });
  if (changed.includes("emailAddress")) {
    await voidLinks(tx, { tenantId, userId }, "email");
    await askToConfirm(tx, { ...target, tenantId, ...after });
  }
  const changes = Object.fromEntries(
    changed.map((field) => [field, { before: target[field], after: after[field] }]),
  );
  await record(tx, acting, { action: "user.updated", target: auditTarget(target), changes });
}

/** Changes a user's name or e-mail address, here and then in the copies of other tenants. Throws 403 outside the user's home tenant. */
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
    const after = {
      login: target.login,
      name: change.name ?? target.name,
      emailAddress: change.emailAddress ?? target.emailAddress,
    };
    const changed = differing(target, after);
    if (changed.includes("emailAddress")) {
      await assertMayUse("email-address", { tx, caller, target });
      // Links to reset the password are mailed there.
      await assertSteppedUp(caller, "policy");
    }
    const isOwnAddress = userId === caller.userId && changed.includes("emailAddress");
    const usedEmail = isOwnAddress ? { usedEmail: after.emailAddress } : {};
    await writeDetails(tx, actingAs(caller), { target, after, more: usedEmail });
  });
  await syncMemberships({ userId, homeTenantId: tenantId });
  return getUser(caller, userId);
}
