import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, sessions, signInChallenges, users } from "@/lib/database/schema/schema";
import { flushFailedLogins } from "@/lib/features/sessions/failed-logins";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "correct horse battery";
let tenant: string;
let userId: string;
let factor: Awaited<ReturnType<typeof makeFactor>>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] }));
  factor = await makeFactor(tenant, userId);
});

const logIn = (given = password, body: object = {}) =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { login: "ann", tenant, password: given, ...body },
  });
const challengeOf = async () => (await logIn()).body.reason as string;
const finish = (body: object, headers: object = {}) =>
  send("POST /v1/user/session-login/second-factor", {
    headers: { "X-Service-Tenant": tenant, ...headers },
    body,
  });
const sessionsOf = () => db().select().from(sessions).where(eq(sessions.tenantId, tenant));
const wrongCode = () => (factor.code() === "000000" ? "000001" : "000000");

describe("403 auth.second-factor-required", () => {
  test("for the right password, with a challenge that is not stored in plain text", async () => {
    const answer = await logIn();
    expect([answer.status, answer.body.code]).toEqual([403, "auth.second-factor-required"]);
    expect(answer.body.reason).toMatch(/^svf_[0-9A-Za-z]{43}$/);
    const rows = await db()
      .select()
      .from(signInChallenges)
      .where(eq(signInChallenges.tenantId, tenant));
    expect(JSON.stringify(rows)).not.toContain(answer.body.reason);
    expect(await sessionsOf()).toEqual([]);
  });

  test("never for a wrong password, nor for a user who may not sign in", async () => {
    expect((await logIn("wrong")).body.code).toBe("auth.login-failed");
    const own = and(eq(users.tenantId, tenant), eq(users.userId, userId));
    await db().update(users).set({ isLocked: true }).where(own);
    expect((await logIn()).body.code).toBe("user.locked");
  });
});

describe("200", () => {
  // The previous step has a unit test: here the clock may advance between a code and its check.
  test("for the codes of the current and the next step; the session records the method", async () => {
    const spaced = factor.code().replace(/^(...)/, "$1 ");
    const answer = await finish({ challenge: await challengeOf(), code: spaced });
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["sessionId"]);
    expect((await finish({ challenge: await challengeOf(), code: factor.code(1) })).status).toBe(
      200,
    );
    const rows = await sessionsOf();
    expect(rows.map(({ authenticatedBy }) => authenticatedBy)).toEqual(
      Array(2).fill("password totp"),
    );
  });

  test("for a recovery code, in any notation; nine are left and the audit trail records it", async () => {
    const [code = ""] = factor.recoveryCodes;
    const typed = ` ${code.toUpperCase().replace("-", " ")}`;
    const answer = await finish({ challenge: await challengeOf(), recoveryCode: typed });
    expect(answer.status, answer.text).toBe(200);
    const again = await finish({ challenge: await challengeOf(), recoveryCode: code });
    expect(again.body.code).toBe("auth.second-factor-failed");
    const used = and(
      eq(auditEvents.tenantId, tenant),
      eq(auditEvents.action, "user.recovery-code-used"),
    );
    const [entry, ...others] = await db().select().from(auditEvents).where(used);
    expect(others).toEqual([]);
    expect(entry?.changes).toEqual({ recoveryCodes: { before: 10, after: 9 } });
  });

  test("at the site of the sign-in", async () => {
    const own = await makeTenant({ siteIds: ["one"] });
    const bob = await makeUser(own, {
      login: "bob",
      password,
      sites: { one: ["portal.pim.mgmt"] },
    });
    const { code } = await makeFactor(own, bob.userId);
    const headers = { "X-Service-Tenant": own };
    const { body } = await send("POST /v1/user/session-login", {
      headers,
      body: { login: "bob", tenant: own, password, site: "one" },
    });
    const opened = await send("POST /v1/user/session-login/second-factor", {
      headers,
      body: { challenge: body.reason, code: code() },
    });
    expect(opened.status, opened.text).toBe(200);
    const [row] = await db().select().from(sessions).where(eq(sessions.tenantId, own));
    expect(row?.siteId).toBe("one");
  });

  test("in another tenant too, with the factor of the home tenant", async () => {
    const other = await makeTenant();
    const row = { userId, homeTenantId: tenant };
    await makeUser(other, { login: "guest", roleIds: ["portal.default"], row });
    const headers = { "X-Service-Tenant": other };
    const body = { login: "guest", tenant: other, password };
    const asked = await send("POST /v1/user/session-login", { headers, body });
    expect(asked.body.code).toBe("auth.second-factor-required");
    const opened = await send("POST /v1/user/session-login/second-factor", {
      headers,
      body: { challenge: asked.body.reason, code: factor.code() },
    });
    expect(opened.status, opened.text).toBe(200);
  });
});

describe("a code counts once", () => {
  test("of five concurrent uses, each with its own challenge, one opens a session", async () => {
    const challenges = await Promise.all(Array.from({ length: 5 }, challengeOf));
    const code = factor.code();
    const answers = await Promise.all(challenges.map((challenge) => finish({ challenge, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf()).toHaveLength(1);
  });

  test("an earlier code is not accepted after a later one", async () => {
    expect((await finish({ challenge: await challengeOf(), code: factor.code(1) })).status).toBe(
      200,
    );
    const earlier = await finish({ challenge: await challengeOf(), code: factor.code() });
    expect([earlier.status, earlier.body.code]).toEqual([401, "auth.second-factor-failed"]);
  });

  test("a recovery code, used five times concurrently", async () => {
    const challenges = await Promise.all(Array.from({ length: 5 }, challengeOf));
    const recoveryCode = factor.recoveryCodes[3];
    const answers = await Promise.all(
      challenges.map((challenge) => finish({ challenge, recoveryCode })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("401 auth.challenge-invalid", () => {
  const invalid = async (body: object, headers?: object) => {
    const answer = await finish(body, headers);
    expect([answer.status, answer.body.code]).toEqual([401, "auth.challenge-invalid"]);
    expect(answer.headers.get("www-authenticate")).toBeTruthy();
  };

  test("for a challenge that opened a session, with a further code", async () => {
    const challenge = await challengeOf();
    expect((await finish({ challenge, code: factor.code() })).status).toBe(200);
    await invalid({ challenge, code: factor.code(1) });
  });

  test("after five wrong codes, also for the right one", async () => {
    const challenge = await challengeOf();
    const left: string[] = [];
    for (let n = 0; n < 5; n += 1)
      left.push((await finish({ challenge, code: wrongCode() })).body.reason);
    expect(left).toEqual(["4", "3", "2", "1", "0"]);
    await invalid({ challenge, code: factor.code() });
  });

  test("for an expired or foreign challenge, or an invalid one", async () => {
    const challenge = await challengeOf();
    const other = await makeTenant();
    await invalid({ challenge, code: factor.code() }, { "X-Service-Tenant": other });
    await db()
      .update(signInChallenges)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(signInChallenges.tenantId, tenant));
    await invalid({ challenge, code: factor.code() });
    await invalid({ challenge: "svf_none", code: factor.code() });
  });

  test("from another network than that of the password", async () => {
    const challenge = await challengeOf();
    await db()
      .update(signInChallenges)
      .set({ network: "192.0.2" })
      .where(eq(signInChallenges.tenantId, tenant));
    await invalid({ challenge, code: factor.code() });
  });

  test("after the password was changed or all sessions were ended", async () => {
    const challenge = await challengeOf();
    const own = and(eq(users.tenantId, tenant), eq(users.userId, userId));
    await db().update(users).set({ credentialEpoch: 1 }).where(own);
    await invalid({ challenge, code: factor.code() });
  });
});

test.each([
  ["user.locked", { isLocked: true }],
  ["user.deactivated", { state: "deactivated" as const }],
  ["auth.password-expired", { passwordExpiresAt: new Date(Date.now() - 1000) }],
  ["user.no-role", { grants: "" }],
])("403 %s for a person who may no longer sign in once the code comes", async (code, row) => {
  const challenge = await challengeOf();
  const own = and(eq(users.tenantId, tenant), eq(users.userId, userId));
  await db().update(users).set(row).where(own);
  expect((await finish({ challenge, code: factor.code() })).body.code).toBe(code);
});

test("400 site.unknown where the site of the sign-in was deleted in the meantime", async () => {
  const challenge = await challengeOf();
  await db()
    .update(signInChallenges)
    .set({ siteId: "gone" })
    .where(eq(signInChallenges.tenantId, tenant));
  expect((await finish({ challenge, code: factor.code() })).body.code).toBe("site.unknown");
});

test("429: wrong codes count for the user, whatever the challenge, and the right password does not reset them", async () => {
  const codes: string[] = [];
  stopClock();
  for (let n = 0; n < 7; n += 1) {
    const challenge = await challengeOf();
    codes.push((await finish({ challenge, code: wrongCode() })).body.code);
  }
  expect(codes).toEqual([...Array(6).fill("auth.second-factor-failed"), "auth.too-many-attempts"]);
  await flushFailedLogins();
  const failed = and(
    eq(auditEvents.tenantId, tenant),
    eq(auditEvents.action, "session.second-factor-failed"),
  );
  expect(await db().select().from(auditEvents).where(failed)).toHaveLength(6);
});

test("400 for both kinds of code, none, or an invalid one", async () => {
  const challenge = await challengeOf();
  for (const body of [{}, { code: "123456", recoveryCode: "x" }, { code: "12345" }])
    expect((await finish({ challenge, ...body })).body.reason).toBe("/code");
});
