import { and, eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { mailedLinks, mails } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import type { NewUser } from "@/lib/setup/testing/factories";
import { linkIn, mailedResets, waits } from "./testing/mailed-resets";

const send = testServer();
const { tenant, smtp, ask, confirm, person, mailRows, settled, to } = mailedResets(send);

describe("202 for a reset request", () => {
  test("mails a link that sets a new password, once", async () => {
    const user = await person();
    expect(await ask(` ${user.login.toUpperCase()} `)).toMatchObject({ status: 202, body: {} });
    await settled();
    const [mail] = to(user.emailAddress);
    expect(mail?.text).toContain("Subject: Reset your password");
    expect(mail?.text).toContain(`/reset-password/${tenant()}#token=svl_`);
    const token = linkIn(mail?.text ?? "");
    expect((await confirm(token)).status).toBe(204);
    expect(await confirm(token)).toMatchObject({
      status: 401,
      body: { code: "auth.link-invalid" },
    });
  });

  test("gives the same response for an unknown login or tenant, and sends no mail", async () => {
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

  test("stores neither the login nor a link, before and after the mail", async () => {
    smtp().reply((command) => (command.startsWith("MAIL") ? "451 4.3.0 Try again" : undefined));
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
    smtp().reply(() => undefined);
    expect((await settled())[0]?.login).toBeNull();
    expect(to(emailAddress)).toHaveLength(1);
  });

  test("combines several requests for a login into one mail", async () => {
    const { login, emailAddress } = await person();
    for (let count = 0; count < 3; count += 1) expect((await ask(login)).status).toBe(202);
    await settled();
    expect(to(emailAddress).length).toBeLessThan(3);
    expect((await mailRows()).length).toBeLessThan(3);
  });

  test("mails a user at most 5 links a day", async () => {
    const { userId, login, emailAddress } = await person();
    const sentAt = new Date();
    const earlier = {
      tenantId: tenant(),
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
    [
      "an address that no mail reaches",
      { row: { emailAddress: "ada@example.com", usedEmail: "ada@example.com" } },
    ],
    ["an address that somebody else set", { row: { usedEmail: "former@mail.harbour.dev" } }],
    ["an address that nobody has used", { row: { usedEmail: "" } }],
  ];
  test.each(others)("mails no link to %s", async (_who, given) => {
    const { userId, login } = await person(given);
    await ask(login);
    await settled();
    const links = and(eq(mailedLinks.tenantId, tenant()), eq(mailedLinks.userId, userId));
    expect(await db().select().from(mailedLinks).where(links)).toEqual([]);
    expect((await mailRows()).every(({ sentAt }) => sentAt === null)).toBe(true);
  });
});

test("403 mail.off if no mail server is configured", async () => {
  vi.stubEnv("SMTP_URL", "");
  const { login } = await person();
  expect(await ask(login)).toMatchObject({
    status: 403,
    body: { code: "mail.off", reason: "SMTP_URL" },
  });
  expect(await mailRows()).toEqual([]);
});
