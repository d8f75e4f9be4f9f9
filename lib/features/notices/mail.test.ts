import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sha256 } from "@/lib/access/secrets";
import { db, transaction } from "@/lib/database/open";
import { mails, users } from "@/lib/database/schema/schema";
import { alertMailWriter } from "@/lib/features/alerts/mail";
import { record } from "@/lib/features/audit/service";
import { openSmtp, type SmtpServer } from "@/lib/features/mail/testing/smtp-server";
import { startMailing } from "@/lib/features/mail/worker";
import { userMailWriters } from "@/lib/features/users/email-confirmation";
import { recordEmergencySignIn } from "@/lib/features/users/emergency-administrators";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeApiKey,
  makeSession,
  makeSignedInUser,
  makeTenant,
} from "@/lib/setup/testing/factories";
import { noticeMailWriter } from "./mail";

const send = testServer();
/** Some of the texts in German. */
const german = {
  dates: "de",
  find: (text: string) =>
    ({
      "{who} asked for a role": "{who} hat um eine Rolle gebeten",
      "Reason: {reason}": "Grund: {reason}",
    })[text],
};
const password = "four words in a row";
const address = () => `${randomBytes(6).toString("hex")}@mail.harbour.dev`;
let smtp: SmtpServer;
let stop: () => Promise<void>;
let tenant: string;
let admin: { userId: string; login: string; headers: Record<string, string> };
let ada: { userId: string; login: string; headers: Record<string, string> };
let adaAddress: string;

beforeEach(async () => {
  smtp = await openSmtp();
  vi.stubEnv("SMTP_URL", smtp.url);
  tenant = await makeTenant();
  adaAddress = address();
  admin = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  const row = { emailAddress: adaAddress, confirmedEmail: adaAddress };
  ada = await makeSignedInUser(tenant, { roleIds: ["portal.default"], password, row });
  const writers = { ...userMailWriters, notice: noticeMailWriter, alert: alertMailWriter };
  stop = startMailing(writers, undefined, { languages: new Map([["de", german]]) });
});
afterEach(async () => {
  await stop();
  await smtp.close();
  vi.unstubAllEnvs();
});

/** Waits until every mail of the tenant is settled, and returns the texts sent to an address. */
async function mailsTo(emailAddress: string): Promise<string[]> {
  await vi.waitFor(
    async () => {
      const rows = await db().select().from(mails).where(eq(mails.tenantId, tenant));
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ dueAt }) => dueAt !== null)).toEqual([]);
    },
    { timeout: 100_000, interval: 50 },
  );
  return smtp.received.filter(({ to }) => to.includes(emailAddress)).map(({ text }) => text);
}
const lock = () =>
  send(`POST /v1/user/${ada.userId}/lock`, { headers: admin.headers, body: { reason: "left" } });

test("a change by an administrator is mailed, with the actor and the request id", async () => {
  const { headers } = await lock();
  const [text, ...others] = await mailsTo(adaAddress);
  expect(others).toEqual([]);
  expect(text).toContain("Subject: Your account was locked");
  expect(text).toContain(`"${admin.login}" locked "${ada.login}".`);
  expect(text).toContain(`By: "${admin.login}"`);
  expect(text).toContain(`Request: "${headers.get("x-service-request-id")}"`);
  expect(text).toContain(`/t/${tenant}/me`);
});

test("an unconfirmed address receives no mail, neither as the current nor as the former one", async () => {
  const stranger = address();
  const [next, row] = [
    address(),
    { emailAddress: stranger, confirmedEmail: "", usedEmail: stranger },
  ];
  const { userId } = await makeSignedInUser(tenant, { roleIds: ["portal.default"], row });
  const as = (body: object) => ({ headers: admin.headers, body });
  await send(`POST /v1/user/${userId}/lock`, as({ reason: "left" }));
  await send(`PATCH /v1/user/${userId}`, as({ emailAddress: next }));
  await send(`POST /v1/user/${userId}/unlock`, as({}));
  expect(await mailsTo(stranger)).toEqual([]);
  expect(await mailsTo(next)).toEqual([expect.stringContaining("Subject: Confirm your e-mail")]);
  const notices = and(eq(mails.tenantId, tenant), eq(mails.kind, "notice"));
  expect(await db().select().from(mails).where(notices)).toHaveLength(3);
});

test("user-supplied names are quoted, and no part of them is a link", async () => {
  const headers = { ...admin.headers, "X-Service-Request-Id": "www.evil.example" };
  const made = await send("POST /v1/user/invitations", {
    headers,
    body: {
      login: "YOU WON: https://evil.example/claim",
      name: "Eve",
      emailAddress: address(),
      roles: { roleIds: ["tenant.admin"], sites: {} },
    },
  });
  expect(made.status, made.text).toBe(201);
  const eve = await makeSession(tenant, made.body.id);
  await db()
    .update(users)
    .set({ state: "active" })
    .where(and(eq(users.tenantId, tenant), eq(users.userId, made.body.id)));
  const body = { reason: "left" };
  const locked = await send(`POST /v1/user/${ada.userId}/lock`, {
    headers: { ...eve.headers, "X-Service-Request-Id": "www.evil.example" },
    body,
  });
  expect(locked.status, locked.text).toBe(200);
  const [text = ""] = await mailsTo(adaAddress);
  expect(text).toContain('By: "YOU WON: https[:]//evil[.]example/claim"');
  expect(text).toContain('Request: "www[.]evil[.]example"');
});

test("a new link with an account at an identity provider is mailed, even with the connection as actor", async () => {
  const actor = { type: "system" as const, id: "conn_any", login: "Example Corp" };
  const acting = { tenantId: tenant, actor, requestId: "any", address: "", agent: "" };
  const target = { type: "user", id: ada.userId, name: ada.login };
  await transaction((tx) => record(tx, acting, { action: "user.identity-linked", target }));
  const [text, ...others] = await mailsTo(adaAddress);
  expect(others).toEqual([]);
  expect(text).toContain("An account at an identity provider was linked: it signs you in.");
});

test("a changed e-mail address is announced to the former one", async () => {
  const next = address();
  const change = { headers: admin.headers, body: { emailAddress: next } };
  expect((await send(`PATCH /v1/user/${ada.userId}`, change)).status).toBe(200);
  expect(await mailsTo(adaAddress)).toHaveLength(1);
  expect(await mailsTo(next)).toEqual([expect.stringContaining("Subject: Confirm your e-mail")]);
});

test("a key that the user creates is mailed with its name, a change of it is not", async () => {
  const created = await send("POST /v1/user/profile/api-keys", {
    headers: ada.headers,
    body: { name: "ci-eu", validTo: new Date(Date.now() + 86_400_000).toISOString() },
  });
  expect(created.status).toBe(200);
  const { apiKeyId } = created.body;
  const change = { headers: { ...ada.headers, "If-Match": "*" }, body: { name: "ci-us" } };
  expect((await send(`PATCH /v1/user/profile/api-keys/${apiKeyId}`, change)).status).toBe(200);
  const texts = await mailsTo(adaAddress);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('API key: "ci-eu"');
  expect(texts[0]).toContain("By: your own session or API key");
});

test("a link to the secret of the user's key is mailed when it is created and when it is opened", async () => {
  const { apiKey, apiKeyId } = await makeApiKey(tenant, ada.userId, { name: "ci-ap" });
  const { body: link } = await send(`POST /v1/user/profile/api-keys/${apiKeyId}/hand-offs`, {
    headers: ada.headers,
    body: { sealed: "c2Vh".repeat(27), secretHash: sha256(apiKey).toString("hex") },
  });
  const headers = { "X-Service-Tenant": tenant };
  const opening = { headers, body: { token: link.token } };
  expect((await send("POST /v1/user/api-keys/hand-offs/open", opening)).status).toBe(200);
  const texts = await mailsTo(adaAddress);
  expect(texts).toHaveLength(2);
  const opened = texts.find((text) => text.includes("was opened"));
  expect(opened).toContain('API key: "ci-ap"');
  expect(opened).toContain("By: whoever had the link");
});

test("a sign-in of an emergency administrator is mailed to every administrator, and to no other user", async () => {
  const bossAddress = address();
  const row = { emailAddress: bossAddress, confirmedEmail: bossAddress };
  await makeSignedInUser(tenant, { roleIds: ["tenant.admin"], row });
  const actor = { type: "user" as const, id: admin.userId, login: admin.login };
  const acting = { tenantId: tenant, actor, requestId: "r", address: "192.0.2.1", agent: "" };
  await transaction((tx) => recordEmergencySignIn(tx, acting));
  const [text] = await mailsTo(bossAddress);
  expect(text).toContain("Subject: An emergency administrator signed in with a password");
  expect(text).toContain(`By: "${admin.login}"`);
  expect(await mailsTo(adaAddress)).toEqual([]);
});

test("a request for access is mailed once to those who may grant it, in the language of each, and not after a decision", async () => {
  const [manager, bystander] = [address(), address()];
  const confirmed = (at: string) => ({ emailAddress: at, confirmedEmail: at });
  const roleIds = ["portal.users.mgmt"];
  const row = { ...confirmed(manager), preferences: { language: "de" as const } };
  await makeSignedInUser(tenant, { roleIds, row });
  const sites = { one: ["portal.users.mgmt"] };
  await makeSignedInUser(tenant, { sites, row: confirmed(bystander) });
  const ask = (body: object) =>
    send("POST /v1/user/access-requests", { headers: ada.headers, body });
  const wish = { role: "portal.qa.mgmt", reason: "see https://evil.example" };
  const { body: first } = await ask(wish);
  const [text, ...others] = await mailsTo(manager);
  expect(others).toEqual([]);
  expect(text).toContain(`"${ada.login}" hat um eine Rolle gebeten.`);
  expect(text).toContain('Grund: "see https[:]//evil[.]example"');
  expect(text).toContain(`/t/${tenant}/notices#access-requests`);
  const withdrawal = { headers: ada.headers };
  expect((await send(`DELETE /v1/user/access-requests/${first.id}`, withdrawal)).status).toBe(204);
  await ask(wish);
  expect(await mailsTo(manager)).toHaveLength(1);
  expect([await mailsTo(bystander), await mailsTo(adaAddress)]).toEqual([[], []]);
});

test("a user receives at most 50 notices a day", async () => {
  const sentAt = new Date();
  const earlier = { tenantId: tenant, kind: "notice", userId: ada.userId, sentAt } as const;
  await db()
    .insert(mails)
    .values(
      Array.from({ length: 50 }, (_, n) => ({
        ...earlier,
        mailId: `notice:${n}`,
        createdAt: sentAt,
      })),
    );
  await lock();
  expect(await mailsTo(adaAddress)).toEqual([]);
  const unsent = and(eq(mails.tenantId, tenant), eq(mails.userId, ada.userId));
  expect(await db().select().from(mails).where(unsent)).toHaveLength(50);
});
