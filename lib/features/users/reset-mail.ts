import { isLockedAt } from "@/lib/access/locks";
import { openSealedSecret } from "@/lib/access/sealed";
import { db, transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { queueResetRequest, quote } from "@/lib/features/mail/queue";
import { type Recipient, writer } from "@/lib/features/mail/worker";
import { labelKey } from "@/lib/protocol/formats";
import { isPasswordAccepted } from "./emergency-administrators";
import { auditTarget } from "./find-target";
import { issueMailedLink } from "./password-links";
import { findPersonByLogin, findUserRow, knownAddress, type UserRow } from "./rows";

const lifetimeMs = 3_600_000;

/** The actor of a mailed link in the audit trail. */
export const mailActor = "password-reset-by-mail";

interface Forgetful extends Recipient {
  /** In the home tenant. */
  row: UserRow;
}

/**
 * Whether the user may set a new password without an administrator: never by an address that another user set and the user has not
 * used since.
 */
const mayReset = (row: UserRow, now: Date) =>
  row.kind === "person" &&
  row.state === "active" &&
  row.erasedAt === null &&
  !row.isSystem &&
  knownAddress(row, "usedEmail") === row.emailAddress &&
  !isLockedAt(row, now);

/** The home row of the login's user; undefined for a user who does not exist or may not reset the password. */
async function findForgetful(
  tenantId: string,
  loginKey: string | undefined,
): Promise<Forgetful | undefined> {
  if (loginKey === undefined) return undefined;
  const found = await findPersonByLogin(tenantId, loginKey);
  if (!found || isLockedAt(found, new Date())) return undefined;
  const { userId, homeTenantId } = found;
  const row =
    homeTenantId === tenantId ? found : await findUserRow(db(), { tenantId: homeTenantId, userId });
  if (!row || !mayReset(row, new Date())) return undefined;
  if (!(await isPasswordAccepted({ tenantId: homeTenantId, userId }))) return undefined;
  return { userId, address: row.emailAddress, language: row.preferences.language, row };
}

/** Issues the link in the user's home tenant. */
async function issueAndRecord({ row }: Forgetful, requestId: string | null) {
  const { homeTenantId: tenantId, userId } = row;
  const expiresAt = new Date(Date.now() + lifetimeMs);
  return transaction(async (tx) => {
    const link = await issueMailedLink(tx, { tenantId, userId }, expiresAt);
    const acting = actingAsSystem(tenantId, mailActor);
    await record(
      tx,
      { ...acting, requestId: requestId ?? acting.requestId },
      {
        action: "user.password-link-made",
        target: auditTarget(row),
        changes: { link: { after: { purpose: "reset", expiresAt: link.expiresAt } } },
      },
    );
    return link;
  });
}

/** The mail for a forgotten password. The link is created here, so that it is stored nowhere; a retry creates another one. */
export const resetMailWriter = writer<Forgetful>({
  recipient: async ({ tenantId, mailId, login }) => {
    const opened = login === null ? undefined : openSealedSecret("mail-logins", login, mailId);
    return findForgetful(tenantId, opened?.bytes.toString("utf8"));
  },
  write: async ({ requestId }, to, { say }) => {
    const { url } = await issueAndRecord(to, requestId);
    const { homeTenantId, login } = to.row;
    return {
      subject: say("Reset your password"),
      text: [
        say("Somebody asked to reset the password of {login} in the tenant {tenant}.", {
          login: quote(login),
          tenant: homeTenantId,
        }),
        `${say("Open this link within an hour to set a new password:")}\n${url}`,
        say("The link works once. Setting a new password ends all sessions."),
        say("If you did not ask for it, ignore this mail: your password stays as it is."),
      ].join("\n\n"),
    };
  },
});

/** Accepts a reset request without revealing whether the login exists. */
export async function requestPasswordReset(
  tenantId: string,
  login: string,
  requestId: string,
): Promise<Record<string, never>> {
  await queueResetRequest(tenantId, labelKey(login), requestId);
  return {};
}
