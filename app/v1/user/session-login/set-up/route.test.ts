import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { withAccessChange } from "@/lib/access/access-versions";
import { db } from "@/lib/database/open";
import { secondFactors, signInChallenges, tenants, users } from "@/lib/database/schema/schema";
import { newAuthenticator } from "@/lib/features/sessions/second-factors/testing/authenticator";
import { codeOf, makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** A tenant that requires a second factor: users without one set one up at sign-in, and no user is locked out. */

const send = testServer();
const password = "correct horse battery";
let tenant: string;
let userId: string;

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function requireFactor(
  secondFactor: "administrators" | "everybody",
  secondFactorFrom = day(-1),
) {
  const policy = { secondFactor, secondFactorFrom };
  await withAccessChange(tenant, (tx) =>
    tx.update(tenants).set({ policy }).where(eq(tenants.tenantId, tenant)),
  );
}

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] }));
  await requireFactor("everybody");
});

const in_ = (at = tenant) => ({ "X-Service-Tenant": at });
const logIn = (login = "ann", at = tenant) =>
  send("POST /v1/user/session-login", {
    headers: in_(at),
    body: { login, tenant: at, password },
  });
const begin = (challenge: string, at = tenant) =>
  send("POST /v1/user/session-login/set-up", { headers: in_(at), body: { challenge } });
const confirm = (body: object, at = tenant) =>
  send("POST /v1/user/session-login/set-up/confirm", { headers: in_(at), body });
const challengeOf = async () => String((await logIn()).body.reason);

describe("403 auth.second-factor-setup-required", () => {
  test("for all users, or for administrators, from the set day on and not before", async () => {
    await makeUser(tenant, { login: "boss", password, roleIds: ["tenant.admin"] });
    await makeUser(tenant, { login: "local", password, sites: { one: ["tenant.admin"] } });
    const codes = async () => {
      const answers = await Promise.all(["ann", "boss", "local"].map((login) => logIn(login)));
      return answers.map(({ body }) => body.code);
    };
    const asked = "auth.second-factor-setup-required";
    expect(await codes()).toEqual([asked, asked, asked]);
    await requireFactor("administrators");
    expect(await codes()).toEqual([undefined, asked, asked]);
    await requireFactor("everybody", day(2));
    expect(await codes()).toEqual([undefined, undefined, undefined]);
  });

  test("not for a wrong password, and not for a user with a factor", async () => {
    await makeFactor(tenant, userId);
    expect((await logIn()).body.code).toBe("auth.second-factor-required");
    const wrong = { login: "ann", tenant, password: "wrong" };
    const answer = await send("POST /v1/user/session-login", { headers: in_(), body: wrong });
    expect(answer.body.code).toBe("auth.login-failed");
  });

  test("for a guest where the home tenant or the other one requires it, and at a switch", async () => {
    const other = await makeTenant();
    const row = { userId, homeTenantId: tenant };
    await makeUser(other, { login: "ann", roleIds: ["portal.default"], row });
    expect((await logIn("ann", other)).body.code).toBe("auth.second-factor-setup-required");
    const { headers } = await makeSession(tenant, userId);
    const moved = () => send("POST /v1/user/session/switch", { headers, body: { tenant: other } });
    expect((await moved()).body.code).toBe("auth.second-factor-setup-required");
    await makeFactor(tenant, userId);
    expect((await moved()).status).toBe(200);
  });
});

describe("200 with a session and recovery codes", () => {
  test("by an authenticator app; its challenge works for nothing else, and once", async () => {
    const challenge = await challengeOf();
    const asCode = { challenge, code: "123456" };
    const other = await send("POST /v1/user/session-login/second-factor", {
      headers: in_(),
      body: asCode,
    });
    expect(other.body.code).toBe("auth.challenge-invalid");
    const { totp } = (await begin(challenge)).body;
    const proof = { challenge, totp: { id: totp.id, code: codeOf(totp.secret) } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(proof)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect(new Set(done[0]?.body.recoveryCodes).size).toBe(10);
    const headers = { ...in_(), "X-Service-Session-Id": done[0]?.body.sessionId };
    const [session] = (await send("GET /v1/user/sessions", { headers })).body;
    expect(session.authenticatedBy).toEqual(["password", "totp"]);
    expect((await begin(challenge)).body.code).toBe("auth.challenge-invalid");
    expect((await logIn()).body.code).toBe("auth.second-factor-required");
    const rows = await db().select().from(secondFactors).where(eq(secondFactors.tenantId, tenant));
    expect(rows.filter(({ confirmedAt }) => confirmedAt)).toHaveLength(1);
  });

  test("by a passkey, bound to this sign-in", async () => {
    const [mine, another] = [await challengeOf(), await challengeOf()];
    const { passkey: options } = (await begin(mine)).body;
    const passkey = newAuthenticator().create(options);
    expect((await confirm({ challenge: another, passkey })).body.reason).toBe("/passkey");
    const done = await confirm({ challenge: mine, passkey, name: "laptop" });
    expect(done.status, done.text).toBe(200);
    expect(done.body.recoveryCodes).toHaveLength(10);
    expect((await confirm({ challenge: another, passkey })).body.code).toBe(
      "auth.challenge-invalid",
    );
  });

  test("of a guest, at home", async () => {
    const other = await makeTenant();
    const row = { userId, homeTenantId: tenant };
    await makeUser(other, { login: "ann", roleIds: ["portal.default"], row });
    const challenge = String((await logIn("ann", other)).body.reason);
    const { totp } = (await begin(challenge, other)).body;
    const totpProof = { id: totp.id, code: codeOf(totp.secret) };
    const done = await confirm({ challenge, totp: totpProof }, other);
    expect(done.status, done.text).toBe(200);
    expect((await logIn()).body.code).toBe("auth.second-factor-required");
  });
});

describe("a challenge to set up a factor", () => {
  test("400 for a wrong code, 404 for another user's factor", async () => {
    const challenge = await challengeOf();
    const { totp } = (await begin(challenge)).body;
    const wrong = codeOf(totp.secret) === "000000" ? "000001" : "000000";
    expect((await confirm({ challenge, totp: { id: totp.id, code: wrong } })).body.reason).toBe(
      "/code",
    );
    const eve = await makeUser(tenant);
    const { factorId, code } = await makeFactor(tenant, eve.userId);
    expect((await confirm({ challenge, totp: { id: factorId, code: code() } })).body.code).toBe(
      "second-factor.not-found",
    );
    expect((await confirm({ challenge })).body.reason).toBe("/totp");
  });

  test("401 once the password, a factor or the permission to sign in has changed", async () => {
    const mine = and(eq(users.tenantId, tenant), eq(users.userId, userId));
    const challenge = await challengeOf();
    await db().update(users).set({ isLocked: true }).where(mine);
    expect((await begin(challenge)).body.code).toBe("auth.challenge-invalid");
    await db().update(users).set({ isLocked: false, credentialEpoch: 7 }).where(mine);
    expect((await begin(challenge)).body.code).toBe("auth.challenge-invalid");
    const next = await challengeOf();
    await makeFactor(tenant, userId);
    expect((await begin(next)).body.code).toBe("auth.challenge-invalid");
  });

  test("401 from another network, after 30 minutes, and after ten wrong codes", async () => {
    const challenge = await challengeOf();
    const { totp } = (await begin(challenge)).body;
    const ofTenant = eq(signInChallenges.tenantId, tenant);
    const change = (set: Partial<typeof signInChallenges.$inferInsert>) =>
      db().update(signInChallenges).set(set).where(ofTenant);
    await change({ tries: 10 });
    const proof = { challenge, totp: { id: totp.id, code: codeOf(totp.secret) } };
    expect((await confirm(proof)).body.code).toBe("auth.challenge-invalid");
    await change({ tries: 0, network: "203.0.113.0/24" });
    expect((await begin(challenge)).body.code).toBe("auth.challenge-invalid");
    const [row] = await db().select().from(signInChallenges).where(ofTenant);
    expect(row?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 60_000);
    await change({ expiresAt: new Date() });
    expect((await confirm(proof)).body.code).toBe("auth.challenge-invalid");
  });
});

test("a session that was open before the day stays valid, and so does one by provider or passkey", async () => {
  const { headers } = await makeSession(tenant, userId, { authenticatedBy: "password" });
  expect((await send("GET /v1/user/session", { headers })).status).toBe(200);
});
