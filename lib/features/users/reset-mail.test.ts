import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, mails, passwordLinks } from "@/lib/database/schema/schema";
import { alertMailWriter } from "@/lib/features/alerts/mail";
import { openSmtp, type SmtpServer } from "@/lib/features/mail/testing/smtp-server";
import { startMailing } from "@/lib/features/mail/worker";
import { noticeMailWriter } from "@/lib/features/notices/mail";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";
import { resetMailWriter } from "./reset-mail";

const send = testServer();
const waits = { timeout: 20_000, interval: 50 };
const newPassword = "another four words here";
const address = () => `${randomBytes(6).toString("hex")}@mail.harbour.dev`;
let smtp: SmtpServer;
let stop: () => Promise<void>;
let tenant: string;

beforeEach(async () => {
  smtp = await openSmtp();
  vi.stubEnv("SMTP_URL", smtp.url);
  vi.stubEnv("RATE_LIMITS", "off");
  tenant = await makeTenant();
  stop = startMailing({
    "password-reset": resetMailWriter,
    notice: noticeMailWriter,
    alert: alertMailWriter,
  });
});
afterEach(async () => {
  await stop();
  await smtp.close();
  vi.unstubAllEnvs();
});

const ask = (login: string, where = tenant) =>
  send("POST /v1/user/password-resets", {
    headers: { "X-Service-Tenant": where },
    body: { login },
  });
const confirm = (token: string) =>
  send("POST /v1/user/password-resets/confirm", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password: newPassword },
  });
const person = async (given: NewUser = {}) => {
  const emailAddress = address();
  const row = { emailAddress, confirmedEmail: emailAddress, usedEmail: emailAddress, ...given.row };
  return {
    ...(await makeUser(tenant, { roleIds: ["portal.default"], ...given, row })),
    emailAddress,
  };
};
const mailRows = (kind: "password-reset" | "notice" = "password-reset") =>
  db()
    .select()
    .from(mails)
    .where(and(eq(mails.tenantId, tenant), eq(mails.kind, kind)));
/** Waits until every mail of the tenant is settled. */
const settled = () =>
  vi.waitFor(async () => {
    const rows = await mailRows();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ dueAt }) => dueAt !== null)).toEqual([]);
    return rows;
  }, waits);
const linkIn = (text: string) => /#token=(svl_\w+)/.exec(text)?.[1] ?? "";
/** Mails to an address: the queue of other tests' tenants is served too. */
const to = (emailAddress: string) => smtp.received.filter((mail) => mail.to.includes(emailAddress));

describe("202 for the request of a reset", () => {
  test("mails a link that sets a new password, once", async () => {
    const user = await person();
    expect(await ask(` ${user.login.toUpperCase()} `)).toMatchObject({ status: 202, body: {} });
    await settled();
    const [mail] = to(user.emailAddress);
    expect(mail?.text).toContain("Subject: Reset your password");
    expect(mail?.text).toContain(`/reset-password/${tenant}#token=svl_`);
    const token = linkIn(mail?.text ?? "");
    expect((await confirm(token)).status).toBe(204);
    expect(await confirm(token)).toMatchObject({
      status: 401,
      body: { code: "auth.link-invalid" },
    });
  });

  test("answers an unknown login, and an unknown tenant, alike, and mails nobody", async () => {
    const known = await ask((await person()).login);
    const unknown = await ask("nobody-of-this-name");
    const elsewhere = await ask("nobody-of-this-name", "no-such-tenant");
    expect([unknown, elsewhere].map(({ status, body }) => [status, body])).toEqual([
      [known.status, known.body],
      [known.status, known.body],
    ]);
    await settled();
    expect((await mailRows()).map(({ sentAt }) => sentAt !== null).sort()).toEqual([false, true]);
  });

  test("keeps neither the login nor a link, before and after the mail", async () => {
    smtp.reply((command) => (command.startsWith("MAIL") ? "451 4.3.0 Try again" : undefined));
    const { login, emailAddress } = await person();
    await ask(login);
    const kept = await vi.waitFor(async () => {
      const [row] = await mailRows();
      expect(row?.attempts).toBeGreaterThan(0);
      return row;
    }, waits);
    const text = JSON.stringify({ ...kept, login: kept?.login?.toString("latin1") });
    expect(text).not.toContain(login);
    expect(text).not.toContain(emailAddress);
    smtp.reply(() => undefined);
    expect((await settled())[0]?.login).toBeNull();
    expect(to(emailAddress)).toHaveLength(1);
  });

  test("makes one mail of several requests for a login", async () => {
    const { login, emailAddress } = await person();
    for (let count = 0; count < 3; count += 1) expect((await ask(login)).status).toBe(202);
    await settled();
    expect(to(emailAddress).length).toBeLessThan(3);
    expect((await mailRows()).length).toBeLessThan(3);
  });

  test("mails a person at most 5 links a day", async () => {
    const { userId, login, emailAddress } = await person();
    const sentAt = new Date();
    const earlier = {
      tenantId: tenant,
      kind: "password-reset",
      userId,
      sentAt,
      createdAt: sentAt,
    } as const;
    await db()
      .insert(mails)
      .values([1, 2, 3, 4, 5].map((n) => ({ ...earlier, mailId: `reset:${n}` })));
    await ask(login);
    await settled();
    expect(to(emailAddress)).toEqual([]);
  });

  const others: [string, NewUser][] = [
    ["a program", { row: { kind: "service" } }],
    ["somebody who is invited", { row: { state: "invited" } }],
    ["somebody deactivated", { row: { state: "deactivated" } }],
    ["somebody locked", { row: { isLocked: true } }],
    ["support", { row: { isSystem: true } }],
    ["an address that no mail reaches", { row: { emailAddress: "ada@example.com" } }],
  ];
  test.each(others)("mails no link to %s", async (_who, given) => {
    const { userId, login } = await person(given);
    await ask(login);
    await settled();
    const links = and(eq(passwordLinks.tenantId, tenant), eq(passwordLinks.userId, userId));
    expect(await db().select().from(passwordLinks).where(links)).toEqual([]);
    expect((await mailRows()).every(({ sentAt }) => sentAt === null)).toBe(true);
  });
});

describe("the mailed link", () => {
  const mailedToken = async (login: string, emailAddress: string) => {
    await ask(login);
    await settled();
    return linkIn(to(emailAddress)[0]?.text ?? "");
  };

  test("401 link.void once the e-mail address was changed", async () => {
    const { userId, login, emailAddress } = await person();
    const token = await mailedToken(login, emailAddress);
    const admin = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
    const change = { headers: admin.headers, body: { emailAddress: address() } };
    expect((await send(`PATCH /v1/user/${userId}`, change)).status).toBe(200);
    expect(await confirm(token)).toMatchObject({ status: 401, body: { code: "link.void" } });
  });

  test("is of the person's home tenant, also where it was requested in another one", async () => {
    const { userId, login, emailAddress } = await person();
    const guest = await makeTenant();
    await makeUser(guest, { login, row: { userId, homeTenantId: tenant, emailAddress } });
    await ask(login, guest);
    await vi.waitFor(() => expect(to(emailAddress)).toHaveLength(1), waits);
    expect((await confirm(linkIn(to(emailAddress)[0]?.text ?? ""))).status).toBe(204);
  });

  test("is in the trail with the id of the request, and is noticed by no further mail", async () => {
    const { login, emailAddress } = await person();
    const { headers } = await ask(login);
    await settled();
    const [entry] = await db()
      .select()
      .from(auditEvents)
      .where(
        and(eq(auditEvents.tenantId, tenant), eq(auditEvents.action, "user.password-link-made")),
      )
      .orderBy(auditEvents.seq);
    expect(entry).toMatchObject({
      actor: { type: "system", id: "password-reset-by-mail" },
      requestId: headers.get("x-service-request-id"),
    });
    await vi.waitFor(async () => {
      const notices = await mailRows("notice");
      expect(notices.map(({ dueAt, sentAt }) => [dueAt, sentAt])).toEqual([[null, null]]);
    }, waits);
    expect(to(emailAddress)).toHaveLength(1);
  });
});

test("403 mail.off where no mail server is named", async () => {
  vi.stubEnv("SMTP_URL", "");
  const { login } = await person();
  expect(await ask(login)).toMatchObject({
    status: 403,
    body: { code: "mail.off", reason: "SMTP_URL" },
  });
  expect(await mailRows()).toEqual([]);
});
