import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { mails, tenants } from "@/lib/database/schema/schema";
import { testCertificate } from "@/lib/features/destinations/audit-streams/testing/certificate";
import { log } from "@/lib/protocol/log";
import type { MailServer } from "@/lib/protocol/mail-settings";
import { makeTenant } from "@/lib/setup/testing/factories";
import { queueNotice } from "./queue";
import { claimMails, reserveMail } from "./rows";
import { openSmtp, type SmtpServer } from "./testing/smtp-server";
import { startMailing, type Writers, writer } from "./worker";

const waits = { timeout: 100_000, interval: 50 };
const address = "ada@mail.harbour.dev";
let closing: (() => Promise<unknown>)[] = [];
let tenant: string;

beforeEach(async () => {
  vi.stubEnv("SMTP_URL", "smtp://127.0.0.1:1");
  vi.stubEnv("MAIL_FROM", "Harbour <no-reply@harbour.dev>");
  tenant = await makeTenant();
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function smtpServer(...given: Parameters<typeof openSmtp>): Promise<SmtpServer> {
  const opened = await openSmtp(...given);
  closing.push(opened.close);
  return opened;
}

/** Mails of this test's tenant only: those of other test files are in the same database. */
const writers = (): Writers => {
  const notice = writer({
    recipient: async ({ tenantId }) =>
      tenantId === tenant ? { userId: "user_of_test", address } : undefined,
    write: async ({ mailId }) => ({ subject: "A notice", text: `About ${mailId}` }),
  });
  return {
    notice,
    alert: notice,
    "password-reset": notice,
    "email-confirmation": notice,
    "access-request": notice,
  };
};
const start = (target: MailServer, ca?: string) => {
  const stop = startMailing(writers(), target, { ca });
  closing.push(stop);
  return stop;
};
const queue = (createdAt = new Date()) =>
  transaction((tx) =>
    queueNotice(tx, tenant, {
      auditId: `aud_${randomBytes(4).toString("hex")}`,
      occurredAt: createdAt,
    }),
  );
const rows = () => db().select().from(mails).where(eq(mails.tenantId, tenant));
const settled = () =>
  vi.waitFor(async () => {
    const all = await rows();
    expect(all.filter(({ dueAt }) => dueAt !== null)).toEqual([]);
    return all;
  }, waits);
const tried = (attempts: number) =>
  vi.waitFor(
    async () => expect((await rows())[0]?.attempts).toBeGreaterThanOrEqual(attempts),
    waits,
  );

describe.each(["none", "starttls", "tls"] as const)(
  "a mail server with security %s",
  (security) => {
    test("receives the mail, with its sender, once", async () => {
      const smtp = await smtpServer(security);
      start({ ...smtp.target, user: "harbour", password: "a secret" }, testCertificate);
      await queue();
      const [row] = await settled();
      expect(row?.sentAt).not.toBeNull();
      expect(smtp.received).toHaveLength(1);
      expect(smtp.received[0]).toMatchObject({
        from: "no-reply@harbour.dev",
        to: [address],
        isEncrypted: security !== "none",
        user: "harbour",
      });
      expect(smtp.received[0]?.text).toContain("From: Harbour <no-reply@harbour.dev>");
      expect(smtp.received[0]?.text).toContain("Auto-Submitted: auto-generated");
      expect(smtp.received[0]?.text).toContain(`About ${row?.mailId}`);
    });
  },
);

describe("the daily limit of a tenant", () => {
  const sent = async () => (await rows()).filter(({ sentAt }) => sentAt !== null).length;
  const queueMany = async (count: number) => {
    for (let n = 0; n < count; n += 1) await queue();
  };

  test("is 20 mails for a sandbox, even with two workers", async () => {
    const smtp = await smtpServer();
    await queueMany(30);
    for (let worker = 0; worker < 2; worker += 1) start(smtp.target);
    await settled();
    expect([await sent(), smtp.received.length]).toEqual([20, 20]);
    await queue();
    await settled();
    expect(smtp.received.length).toBe(20);
  });

  test("holds when all mails are sent at the same time", async () => {
    await queueMany(24);
    const now = new Date();
    const until = new Date(now.getTime() + 120_000);
    const claimed = await claimMails(tenant, { now, until, limit: 24 });
    const max = { since: new Date(now.getTime() - 86_400_000), ofTenant: 20, ofPerson: 50 };
    const reserved = await Promise.all(
      claimed.map((mail) => reserveMail(mail, "user_of_test", max)),
    );
    expect(reserved.filter(Boolean)).toHaveLength(20);
  });

  test("is five resets for one user, however many are sent at the same time", async () => {
    const smtp = await smtpServer();
    await queueMany(12);
    await db().update(mails).set({ kind: "password-reset" }).where(eq(mails.tenantId, tenant));
    for (let worker = 0; worker < 2; worker += 1) start(smtp.target);
    await settled();
    expect([await sent(), smtp.received.length]).toEqual([5, 5]);
  });

  test("is reset on the next day", async () => {
    const smtp = await smtpServer();
    await queueMany(22);
    start(smtp.target);
    await settled();
    const sentAt = new Date(Date.now() - 25 * 3_600_000);
    await db().update(mails).set({ sentAt }).where(eq(mails.tenantId, tenant));
    await queue();
    await settled();
    expect(smtp.received.length).toBe(21);
  });

  test("is higher for a tenant that the operator created", async () => {
    const smtp = await smtpServer();
    await db().update(tenants).set({ kind: "production" }).where(eq(tenants.tenantId, tenant));
    await queueMany(22);
    start(smtp.target);
    await settled();
    expect(smtp.received.length).toBe(22);
  });
});

describe("nothing is sent in the clear", () => {
  test("when STARTTLS is required but not offered", async () => {
    const smtp = await smtpServer("none");
    start({ ...smtp.target, security: "starttls" });
    await queue();
    await tried(1);
    expect(smtp.commands.filter((line) => /^(MAIL|AUTH|RCPT)/.test(line))).toEqual([]);
  });

  test.each(["starttls", "tls"] as const)("to an unknown certificate, by %s", async (security) => {
    const smtp = await smtpServer(security);
    start(smtp.target);
    await queue();
    await tried(1);
    expect(smtp.received).toEqual([]);
    expect(smtp.commands.filter((line) => /^(MAIL|AUTH|RCPT)/.test(line))).toEqual([]);
  });
});

describe("a mail that the server does not accept", () => {
  test("is retried later, and the log has no address", async () => {
    const warn = vi.spyOn(log(), "warn");
    const smtp = await smtpServer("none", (command) =>
      command.startsWith("RCPT") ? `451 4.2.1 Try again: ${address}` : undefined,
    );
    start(smtp.target);
    await queue();
    await tried(1);
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), waits);
    expect(JSON.stringify(warn.mock.calls)).not.toContain("harbour.dev");
    smtp.reply(() => undefined);
    expect((await settled())[0]?.sentAt).not.toBeNull();
    expect(smtp.received).toHaveLength(1);
  });

  test("is dropped when the server rejects it permanently", async () => {
    const smtp = await smtpServer("none", (command) =>
      command.startsWith("RCPT") ? "550 5.1.1 No such mailbox" : undefined,
    );
    start(smtp.target);
    await queue();
    expect(await settled()).toMatchObject([{ sentAt: null, attempts: 1 }]);
  });

  test("is dropped once it is too old", async () => {
    const smtp = await smtpServer("none", (command) =>
      command.startsWith("RCPT") ? "451 4.2.1 Try again" : undefined,
    );
    await queue(new Date(Date.now() - 13 * 3_600_000));
    start(smtp.target);
    expect(await settled()).toMatchObject([{ sentAt: null, attempts: 1 }]);
  });

  test("remains queued for a process that starts later", async () => {
    await queue();
    const smtp = await smtpServer("none");
    const stop = start(smtp.target);
    await settled();
    await stop();
    expect(smtp.received).toHaveLength(1);
  });
});

test("two processes send a mail once", async () => {
  const smtp = await smtpServer("none");
  for (let count = 0; count < 12; count += 1) await queue();
  start(smtp.target);
  start(smtp.target);
  expect(await settled()).toHaveLength(12);
  const texts = smtp.received.map(({ text }) => /About (\S+)/.exec(text)?.[1]);
  expect(new Set(texts).size).toBe(12);
  expect(texts).toHaveLength(12);
});

test("without SMTP_URL no mail is queued", async () => {
  vi.stubEnv("SMTP_URL", "");
  await queue();
  expect(await rows()).toEqual([]);
});
