import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { db } from "@/lib/database/open";
import { mails } from "@/lib/database/schema/schema";
import { alertMailWriter } from "@/lib/features/alerts/mail";
import { openSmtp, type SmtpServer } from "@/lib/features/mail/testing/smtp-server";
import { startMailing } from "@/lib/features/mail/worker";
import { noticeMailWriter } from "@/lib/features/notices/mail";
import { userMailWriters } from "@/lib/features/users/email-confirmation";
import type { Send } from "@/lib/http/testing/test-server";
import { makeTenant, makeUser, type NewUser } from "@/lib/setup/testing/factories";

const newPassword = "another four words here";

export const waits = { timeout: 100_000, interval: 50 };
export const address = () => `${randomBytes(6).toString("hex")}@mail.harbour.dev`;
export const linkIn = (text: string) => /#token=(svl_\w+)/.exec(text)?.[1] ?? "";

const writers = {
  ...userMailWriters,
  notice: noticeMailWriter,
  alert: alertMailWriter,
};

const usedAddress = (emailAddress: string) => ({
  ...{ emailAddress, usedEmail: emailAddress, confirmedEmail: emailAddress },
});

type MailKind = "password-reset" | "notice";

const mailsOf = (tenantId: string, kind: MailKind) =>
  db()
    .select()
    .from(mails)
    .where(and(eq(mails.tenantId, tenantId), eq(mails.kind, kind)));

/** The requests to the service in a tenant. */
const requests = (send: Send, tenant: () => string) => ({
  ask: (login: string, where = tenant()) =>
    send("POST /v1/user/password-resets", {
      headers: { "X-Service-Tenant": where },
      body: { login },
    }),
  confirm: (token: string) =>
    send("POST /v1/user/password-resets/confirm", {
      headers: { "X-Service-Tenant": tenant() },
      body: { token, password: newPassword },
    }),
  /** A user who has used the address. */
  person: async (given: NewUser = {}) => {
    const emailAddress = address();
    const row = { ...usedAddress(emailAddress), ...given.row };
    const user = await makeUser(tenant(), { roleIds: ["portal.default"], ...given, row });
    return { ...user, emailAddress };
  },
});

/** Waits until every mail of the tenant is settled. */
const settledMails = (tenantId: string) =>
  vi.waitFor(async () => {
    const rows = await mailsOf(tenantId, "password-reset");
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ dueAt }) => dueAt !== null)).toEqual([]);
    return rows;
  }, waits);

/** A tenant for each test, whose mails are sent to a test server, and actions with links to reset a password. */
export function mailedResets(send: Send) {
  let tenant: string;
  let smtp: SmtpServer;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    smtp = await openSmtp();
    vi.stubEnv("SMTP_URL", smtp.url);
    vi.stubEnv("RATE_LIMITS", "off");
    tenant = await makeTenant();
    stop = startMailing(writers);
  });
  afterEach(async () => {
    await stop();
    await smtp.close();
    vi.unstubAllEnvs();
  });
  const asked = requests(send, () => tenant);
  const settled = () => settledMails(tenant);
  /** Mails to an address, because mails of other tests' tenants are sent too. */
  const to = (emailAddress: string) =>
    smtp.received.filter((mail) => mail.to.includes(emailAddress));
  return {
    ...asked,
    tenant: () => tenant,
    smtp: () => smtp,
    mailRows: (kind: MailKind = "password-reset") => mailsOf(tenant, kind),
    settled,
    to,
    mailedToken: async (login: string, emailAddress: string) => {
      await asked.ask(login);
      await settled();
      return (
        to(emailAddress)
          .map(({ text }) => linkIn(text))
          .find(Boolean) ?? ""
      );
    },
  };
}
