import { lockTenant } from "@/lib/access/access-versions";
import type { Caller, Origin } from "@/lib/access/caller";
import { sha256 } from "@/lib/access/secrets";
import { db, type Executor, type Transaction, transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { queueConfirmation } from "@/lib/features/mail/queue";
import { ApiError } from "@/lib/protocol/errors";
import { challenge } from "@/lib/protocol/http-fields";
import { deleteConfirmation, findConfirmation } from "./email-confirmation-rows";
import { auditTarget } from "./find-target";
import { findUserRow, type UserRow, updateUserRow } from "./rows";
import { assertHomeTenant } from "./user-policy";

/** Ends the link of the former address, and asks at the one that was set. A program reads no mail. */
export async function askToConfirm(
  tx: Transaction,
  user: Pick<UserRow, "tenantId" | "userId" | "emailAddress" | "kind">,
): Promise<void> {
  await deleteConfirmation(tx, user);
  if (user.kind === "person") await queueConfirmation(tx, user);
}

/** Asks for the mail once more. Nothing is mailed where the address is confirmed already. */
export async function requestConfirmation(caller: Caller): Promise<Record<string, never>> {
  await transaction(async (tx) => {
    const row = await findUserRow(tx, caller);
    if (!row) return;
    assertHomeTenant(caller, row);
    await queueConfirmation(tx, row);
  });
  return {};
}

const notValid = () =>
  new ApiError(
    "auth.link-invalid",
    "This link is not valid, was used already, or was mailed to an address that has changed since. Ask for a new one on the page of your account.",
    undefined,
    { headers: challenge("Session") },
  );

/** The user of a link that can be followed now. Throws 401 for one that is unknown, used or of another address, 403 for an expired one. */
async function usableLink(tx: Executor, tenantId: string, tokenHash: Buffer) {
  const found = await findConfirmation(tx, tenantId, tokenHash);
  const user = found && (await findUserRow(tx, { tenantId, userId: found.userId }));
  if (!user || user.state === "deactivated" || user.askedEmail !== user.emailAddress)
    throw notValid();
  if (found.expiresAt > new Date()) return user;
  throw new ApiError(
    "auth.link-expired",
    "This link has expired. Ask for a new one on the page of your account.",
    found.expiresAt.toISOString(),
    { headers: challenge("Session", "invalid_token") },
  );
}

/**
 * Confirms the e-mail address to which the link was mailed, once. Whoever tries tokens holds no lock: the tenant's row is locked for
 * those that are right.
 */
export async function confirmEmailAddress(
  tenantId: string,
  token: string,
  origin: Origin,
): Promise<void> {
  const tokenHash = sha256(token);
  await usableLink(db(), tenantId, tokenHash);
  await transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const { userId, login, emailAddress } = await usableLink(tx, tenantId, tokenHash);
    const known = { usedEmail: emailAddress, confirmedEmail: emailAddress, askedEmail: null };
    await updateUserRow(tx, { tenantId, userId }, known);
    await deleteConfirmation(tx, { tenantId, userId });
    const acting = { tenantId, actor: { type: "user" as const, id: userId, login }, ...origin };
    await record(tx, acting, {
      action: "user.email-confirmed",
      target: auditTarget({ userId, login }),
      changes: { emailAddress: { after: emailAddress } },
    });
  });
}
