import { randomBytes } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withAccessChange } from "@/lib/access/access-versions";
import { db, transaction } from "@/lib/database/open";
import { alerts, mails, users } from "@/lib/database/schema/schema";
import { openSmtp, type SmtpServer } from "@/lib/features/mail/testing/smtp-server";
import { startMailing } from "@/lib/features/mail/worker";
import { noticeMailWriter } from "@/lib/features/notices/mail";
import { userMailWriters } from "@/lib/features/users/email-confirmation";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant, type NewUser } from "@/lib/setup/testing/factories";
import { saveOutcome } from "./due-rows";
import { alertMailWriter } from "./mail";
import { getAlertRow } from "./rows";

const send = testServer();
const rule = { name: "Checkout fails", measure: "error-rate", threshold: 0.05, window: "PT1H" };
const reading = { value: 0.25, shortValue: 0.5, calls: 600 };
let smtp: SmtpServer;
let stop: (() => Promise<void>) | undefined;
let tenant: string;
let admin: Awaited<ReturnType<typeof makeSignedInUser>>;

beforeEach(async () => {
  smtp = await openSmtp();
  vi.stubEnv("SMTP_URL", smtp.url);
  tenant = await makeTenant();
  admin = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  await smtp.close();
  vi.unstubAllEnvs();
});

async function person(given: NewUser = { roleIds: ["portal.analytics.mgmt"] }) {
  const emailAddress = `${randomBytes(6).toString("hex")}@mail.harbour.dev`;
  const { row } = given;
  const { userId } = await makeSignedInUser(tenant, {
    ...given,
    row: { emailAddress, confirmedEmail: emailAddress, ...row },
  });
  return { userId, emailAddress };
}

async function created(mailTo: string[], more: object = {}): Promise<string> {
  const body = { ...rule, ...more, mailTo };
  const answer = await send("POST /v1/alerts", { headers: admin.headers, body });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.mailTo).toEqual(mailTo);
  return answer.body.id;
}

/** Sets the status of the rule, as a check at that minute would. */
async function becomes(alertId: string, status: "firing" | "ok", minute = 0): Promise<void> {
  const row = await getAlertRow({ tenantId: tenant, alertId });
  const checkedTo = new Date(Date.UTC(2026, 10, 23, 6, minute));
  await saveOutcome(row, { status, reading, checkedTo }, new Date());
}

const ofAlerts = () => and(eq(mails.tenantId, tenant), eq(mails.kind, "alert"));
const queued = () => db().select().from(mails).where(ofAlerts()).orderBy(mails.dueAt);

/** Sends all queued mails, including those due later; returns the texts that were sent to the address. */
async function mailed(emailAddress: string): Promise<string[]> {
  const waiting = and(ofAlerts(), isNotNull(mails.dueAt));
  await db().update(mails).set({ dueAt: new Date() }).where(waiting);
  stop ??= startMailing({
    ...userMailWriters,
    alert: alertMailWriter,
    notice: noticeMailWriter,
  });
  await vi.waitFor(async () => expect(await db().select().from(mails).where(waiting)).toEqual([]), {
    timeout: 100_000,
    interval: 50,
  });
  return smtp.received.filter(({ to }) => to.includes(emailAddress)).map(({ text }) => text);
}

test("a firing is mailed to the people of the rule, with its figures and a link", async () => {
  const [ada, bob, other] = [await person(), await person(), await person()];
  const id = await created([ada.userId, bob.userId]);
  await becomes(id, "firing");
  const [text, ...more] = await mailed(ada.emailAddress);
  expect(more).toEqual([]);
  expect(text).toMatch(/^Subject: .*Firing:.+Checkout.fails/m);
  expect(text).toContain("Error rate (5xx): 25 % (threshold 5 %)");
  expect(text).toContain("Since: 23 November 2026 at 06:00 UTC");
  expect(text).toContain(`/t/${tenant}/alerts/${id}`);
  expect(await mailed(bob.emailAddress)).toHaveLength(1);
  expect(await mailed(other.emailAddress)).toEqual([]);
});

test("the mail and the status change commit in one transaction", async () => {
  const { userId } = await person();
  const alertId = await created([userId]);
  const { announce } = await import("./announce");
  const row = await getAlertRow({ tenantId: tenant, alertId });
  const failed = transaction(async (tx) => {
    await announce(tx, "fired", row);
    throw new Error("rolled back");
  });
  await expect(failed).rejects.toThrow("rolled back");
  expect(await queued()).toEqual([]);
  await becomes(alertId, "firing");
  expect(await queued()).toMatchObject([{ alertId, userId }]);
});

test("a rule that flaps within a quarter of an hour sends two mails, the second with its last state", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 900_000) * 900_000 + 60_000 });
  const ada = await person();
  const id = await created([ada.userId]);
  for (const minute of [0, 2, 4]) {
    await becomes(id, "firing", minute);
    await becomes(id, "ok", minute + 1);
  }
  const [now, later, ...more] = await queued();
  expect(more).toEqual([]);
  expect((later?.dueAt?.getTime() ?? 0) - (now?.dueAt?.getTime() ?? 0)).toBe(14 * 60_000);
  vi.useRealTimers();
  const texts = await mailed(ada.emailAddress);
  expect(texts).toHaveLength(2);
  expect(texts.at(-1)).toMatch(/^Subject: .*Resolved:.+Checkout.fails/m);
  expect(texts.at(-1)).toContain("Since: 23 November 2026 at 06:05 UTC");
});

test.each<[string, (userId: string) => Promise<unknown>]>([
  ["was locked", (userId) => set(userId, { isLocked: true })],
  ["was deactivated", (userId) => set(userId, { state: "deactivated" })],
  ["lost the right", (userId) => set(userId, { grants: " portal.default" })],
])("somebody who %s since the mail was queued gets nothing", async (_what, change) => {
  const [ada, bob] = [await person(), await person()];
  await becomes(await created([ada.userId, bob.userId]), "firing");
  await change(ada.userId);
  expect(await mailed(bob.emailAddress)).toHaveLength(1);
  expect(await mailed(ada.emailAddress)).toEqual([]);
});

async function set(userId: string, row: Partial<typeof users.$inferInsert>) {
  const user = and(eq(users.tenantId, tenant), eq(users.userId, userId));
  await withAccessChange(tenant, (tx) => tx.update(users).set(row).where(user));
}

test("removed recipients get no mail, and a deleted rule sends none", async () => {
  const ada = await person();
  const id = await created([ada.userId]);
  await becomes(id, "firing");
  const { headers } = admin;
  const changed = await send(`PATCH /v1/alerts/${id}`, { headers, body: { mailTo: [] } });
  expect(changed.body).toMatchObject({ mailTo: [], state: { status: "firing" } });
  const other = await created([ada.userId]);
  await becomes(other, "firing");
  expect((await send(`DELETE /v1/alerts/${other}`, { headers })).status).toBe(204);
  expect(await mailed(ada.emailAddress)).toEqual([]);
});

test("a recipient with a role at one site gets mails about rules of that site only", async () => {
  const ada = await person({ sites: { one: ["portal.analytics.mgmt"] } });
  await becomes(await created([ada.userId], { filter: { site: "one" } }), "firing");
  expect(await mailed(ada.emailAddress)).toHaveLength(1);
  for (const filter of [{}, { site: "two" }]) {
    const body = { ...rule, filter, mailTo: [ada.userId] };
    expect((await send("POST /v1/alerts", { headers: admin.headers, body })).status).toBe(400);
  }
});

test("400 for a recipient who may not read calls, is unknown, or is one of too many", async () => {
  const { headers } = admin;
  const blind = await person({ roleIds: ["portal.default"] });
  const gone = await person({ ...{ roleIds: ["tenant.admin"] }, row: { state: "deactivated" } });
  const robot = await person({ roleIds: ["tenant.admin"], row: { kind: "service" } });
  for (const { userId } of [blind, gone, robot, { userId: "user_nobody" }]) {
    const body = { ...rule, mailTo: [admin.userId, userId] };
    const answer = await send("POST /v1/alerts", { headers, body });
    expect(answer.status, userId).toBe(400);
    expect(answer.text).toContain('"/mailTo/1"');
  }
  const mailTo = Array.from({ length: 11 }, (_, n) => `user_${n}`);
  expect((await send("POST /v1/alerts", { headers, body: { ...rule, mailTo } })).status).toBe(400);
});

test("200: a rule is changed although an existing recipient has lost the permission", async () => {
  const ada = await person();
  const id = await created([ada.userId]);
  await set(ada.userId, { state: "deactivated" });
  const { headers } = admin;
  const body = { threshold: 0.5, mailTo: [ada.userId, admin.userId, admin.userId] };
  const changed = await send(`PATCH /v1/alerts/${id}`, { headers, body });
  expect(changed.body).toMatchObject({ threshold: 0.5, mailTo: [ada.userId, admin.userId] });
});

test("without SMTP_URL a firing queues no mail", async () => {
  vi.stubEnv("SMTP_URL", "");
  const ada = await person();
  const id = await created([ada.userId]);
  await becomes(id, "firing");
  expect(await queued()).toEqual([]);
  const row = and(eq(alerts.tenantId, tenant), eq(alerts.alertId, id));
  expect((await db().select().from(alerts).where(row))[0]?.status).toBe("firing");
});
