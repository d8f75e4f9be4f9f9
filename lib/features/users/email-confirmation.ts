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

/** Writes the link that is mailed to the address over the user's earlier one. Throws where the user has another address by now. */
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

/** Whose link it is, and until when it works. */
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

/** The link ends: it was used, or the address is another one. */
export async function deleteConfirmation(tx: Transaction, key: UserKey): Promise<void> {
  await tx.delete(emailConfirmations).where(byKey(key));
}

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

const lifetimeMs = 3 * 24 * 3_600_000;

interface Asked extends Recipient {
  row: UserRow;
}

/** Whether the mail is still about the address that the person has, and the address is to be confirmed. */
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
 * The mail that asks whether an address is somebody's own. The link is made here, so that it is stored nowhere; a repeated attempt makes
 * another one.
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

/** The mails for people about their own account, and about access that others ask for. */
export const userMailWriters = {
  "password-reset": resetMailWriter,
  "email-confirmation": confirmationMailWriter,
  "access-request": accessRequestMailWriter,
};
