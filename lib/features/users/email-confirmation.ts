import { and, eq } from "drizzle-orm";
import { lockTenant } from "@/lib/access/access-versions";
import type { Caller, Origin } from "@/lib/access/caller";
import { newLinkToken, sha256 } from "@/lib/access/secrets";
import { db, type Executor, type Transaction, transaction } from "@/lib/database/open";
import { emailConfirmations } from "@/lib/database/schema/schema";
import { record } from "@/lib/features/audit/service";
import { confirmationId, queueConfirmation, quote } from "@/lib/features/mail/queue";
import { type Recipient, writer } from "@/lib/features/mail/worker";
import { ApiError } from "@/lib/protocol/errors";
import { isEmailAddress } from "@/lib/protocol/formats";
import { challenge } from "@/lib/protocol/http-fields";
import { publicUrl } from "@/lib/protocol/settings";
import { accessRequestMailWriter } from "./access-request-mail";
import { auditTarget } from "./find-target";
import { resetMailWriter } from "./reset-mail";
import { findUserRow, knownAddress, type UserKey, type UserRow, updateUserRow } from "./rows";
import { assertHomeTenant } from "./user-policy";

const byKey = ({ tenantId, userId }: UserKey) =>
  and(eq(emailConfirmations.tenantId, tenantId), eq(emailConfirmations.userId, userId));

/** Stores the link that is mailed to the address, replacing the user's earlier one. Throws if the user has another address by now. */
export async function upsertConfirmation(
  tx: Transaction,
  key: UserKey,
  link: { tokenHash: Buffer; expiresAt: Date; emailAddress: string },
): Promise<void> {
  const { emailAddress: askedEmail, ...set } = link;
  const { tenantId, userId } = key;
  const row = await updateUserRow(tx, key, { askedEmail });
  if (row?.emailAddress !== askedEmail) throw new Error("The e-mail address has changed.");
  await tx
    .insert(emailConfirmations)
    .values({ tenantId, userId, ...set })
    .onConflictDoUpdate({ target: [emailConfirmations.tenantId, emailConfirmations.userId], set });
}

/** The user and the expiry of a link. */
async function findConfirmation(tx: Executor, tenantId: string, tokenHash: Buffer) {
  const { userId, expiresAt } = emailConfirmations;
  const [found] = await tx
    .select({ userId, expiresAt })
    .from(emailConfirmations)
    .where(
      and(eq(emailConfirmations.tenantId, tenantId), eq(emailConfirmations.tokenHash, tokenHash)),
    );
  return found;
}

/** Deletes the link after it was used or the address changed. */
export async function deleteConfirmation(tx: Transaction, key: UserKey): Promise<void> {
  await tx.delete(emailConfirmations).where(byKey(key));
}

/** Deletes the link of the former address, and mails the new one. Service users receive no mail. */
export async function askToConfirm(
  tx: Transaction,
  user: Pick<UserRow, "tenantId" | "userId" | "emailAddress" | "kind">,
): Promise<void> {
  await deleteConfirmation(tx, user);
  if (user.kind === "person") await queueConfirmation(tx, user);
}

/** Requests the mail again. Sends nothing if the address is already confirmed. */
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

/** The user of a usable link. Throws 401 for a link that is unknown, used or for another address, 403 for an expired one. */
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
 * Confirms the e-mail address to which the link was mailed, once. Guessed tokens acquire no lock: the tenant's row is only locked
 * for valid ones.
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

const lifetimeMs = 3 * 24 * 3_600_000;

interface Asked extends Recipient {
  row: UserRow;
}

/** Whether the mail is for the user's current address, and the address is unconfirmed. */
const isToConfirm = (row: UserRow) =>
  row.kind === "person" &&
  row.state !== "deactivated" &&
  row.erasedAt === null &&
  row.homeTenantId === row.tenantId &&
  isEmailAddress(row.emailAddress) &&
  knownAddress(row, "confirmedEmail") !== row.emailAddress;

async function issueLink({ row, address: emailAddress }: Asked): Promise<string> {
  const { tenantId, userId } = row;
  const token = newLinkToken();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const link = { tokenHash: sha256(token), expiresAt, emailAddress };
  await transaction((tx) => upsertConfirmation(tx, { tenantId, userId }, link));
  return `${publicUrl()}/confirm-email/${tenantId}#token=${token}`;
}

/**
 * The mail to confirm an address. The link is created here, so that it is stored nowhere; a retry creates another one.
 */
export const confirmationMailWriter = writer<Asked>({
  recipient: async ({ tenantId, mailId, userId, createdAt }) => {
    const row = userId === null ? undefined : await findUserRow(db(), { tenantId, userId });
    if (!row || !isToConfirm(row) || confirmationId(row, createdAt) !== mailId) return undefined;
    const { language } = row.preferences;
    return { userId: row.userId, address: row.emailAddress, language, row };
  },
  write: async (_mail, to, { say }) => ({
    subject: say("Confirm your e-mail address"),
    text: [
      say("This address was entered for the user {login} in the tenant {tenant}.", {
        login: quote(to.row.login),
        tenant: to.row.tenantId,
      }),
      `${say("If that is you, open this link within 3 days and confirm it there:")}\n${await issueLink(to)}`,
      say(
        "From then on notices of your account and alerts are mailed to you. The link works once.",
      ),
      say(
        "If it is not you, ignore this mail: nothing but such a question is mailed to this address.",
      ),
    ].join("\n\n"),
  }),
});

/** The mails to users about their own account, and about access requests of others. */
export const userMailWriters = {
  "password-reset": resetMailWriter,
  "email-confirmation": confirmationMailWriter,
  "access-request": accessRequestMailWriter,
};
