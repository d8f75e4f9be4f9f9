import { newLinkToken, sha256 } from "@/lib/access/secrets";
import { db, transaction } from "@/lib/database/open";
import { confirmationId } from "@/lib/features/mail/queue";
import { quote } from "@/lib/features/mail/quote";
import { type Recipient, writer } from "@/lib/features/mail/worker";
import { isEmailAddress } from "@/lib/protocol/formats";
import { publicUrl } from "@/lib/protocol/settings";
import { accessRequestMailWriter } from "./access-request-mail";
import { upsertConfirmation } from "./email-confirmation-rows";
import { resetMailWriter } from "./reset-mail";
import { findUserRow, knownAddress, type UserRow } from "./rows";

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
