import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { recoveryCodes, secondFactors } from "@/lib/database/schema/schema";
import { actionsOf, trailOf } from "@/lib/features/audit/testing/trail";
import { codeOf, makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "correct horse battery";
let tenant: string;
let userId: string;
let headers: Record<string, string>;

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const path = "/v1/user/second-factors";

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] }));
  ({ headers } = await makeSession(tenant, userId));
});

const create = (as = headers, body: object = { kind: "totp", name: "phone" }) =>
  send(`POST ${path}`, { headers: as, body });
const confirm = (id: string, code: string, as = headers) =>
  send(`POST ${path}/${id}/confirm`, { headers: as, body: { code } });
const list = async () => {
  const { body: factors } = await send(`GET ${path}`, { headers });
  return { factors, ...(await send(`GET ${path}/recovery-codes`, { headers })).body };
};
const logIn = () =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { login: "ann", tenant, password },
  });
const actions = async () =>
  (await actionsOf(tenant)).filter((action) => /second-factor|recovery/.test(action));

describe("set up", () => {
  test("201 with a secret that is stored encrypted, and has no effect before it is confirmed", async () => {
    const { status, body, headers: answered } = await create();
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: "totp", name: "phone", isConfirmed: false });
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(answered.get("location")).toBe(`${path}/${body.id}`);
    expect(new URL(body.uri).searchParams.get("secret")).toBe(body.secret);
    const rows = await db().select().from(secondFactors).where(eq(secondFactors.tenantId, tenant));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.secret.toString("latin1")).not.toContain(body.secret);
    expect(await list()).toEqual({ factors: [], recoveryCodesLeft: 0 });
    expect((await logIn()).status).toBe(200);
  });

  test("the first confirmed one returns ten recovery codes, and sign-ins require it afterwards", async () => {
    const { body } = await create();
    const code = codeOf(body.secret);
    const confirmed = await confirm(body.id, code);
    expect(confirmed.status, confirmed.text).toBe(200);
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10);
    expect(confirmed.body.recoveryCodes[0]).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    const stored = await db()
      .select()
      .from(recoveryCodes)
      .where(eq(recoveryCodes.tenantId, tenant));
    expect(JSON.stringify(stored)).not.toContain(confirmed.body.recoveryCodes[0]);
    const asked = await logIn();
    expect(asked.body.code).toBe("auth.second-factor-required");
    const replayed = await send("POST /v1/user/session-login/second-factor", {
      headers: { "X-Service-Tenant": tenant },
      body: { challenge: asked.body.reason, code },
    });
    expect(replayed.body.code).toBe("auth.second-factor-failed");
    expect(await list()).toMatchObject({ factors: [{ id: body.id }], recoveryCodesLeft: 10 });
    expect(await actions()).toEqual(["user.second-factor-begun", "user.second-factor-added"]);
    const trail = await trailOf(tenant);
    expect(JSON.stringify(trail)).not.toContain(body.secret);
  });

  test("the first one ends the user's other sessions, which were opened with only a password", async () => {
    const { headers: other } = await makeSession(tenant, userId);
    const { body } = await create();
    expect((await send("GET /v1/user/session", { headers: other })).status).toBe(200);
    expect((await confirm(body.id, codeOf(body.secret))).status).toBe(200);
    expect((await send("GET /v1/user/session", { headers: other })).status).toBe(401);
    expect((await send("GET /v1/user/session", { headers })).status).toBe(200);
  });

  test("a second one returns no recovery codes, ends no session, and both work", async () => {
    await makeFactor(tenant, userId);
    const { headers: other } = await makeSession(tenant, userId);
    const { body } = await create();
    const confirmed = await confirm(body.id, codeOf(body.secret));
    expect(confirmed.body).toEqual({});
    expect((await send("GET /v1/user/session", { headers: other })).status).toBe(200);
    expect((await list()).factors).toHaveLength(2);
  });

  test("400 for a wrong code, 404 for another's, 409 for a confirmed one, 404 after an hour", async () => {
    const { body } = await create();
    const wrong = codeOf(body.secret) === "000000" ? "000001" : "000000";
    expect((await confirm(body.id, wrong)).body.reason).toBe("/code");
    const eve = await makeUser(tenant, { roleIds: ["portal.default"] });
    const other = await makeSession(tenant, eve.userId);
    expect((await confirm(body.id, codeOf(body.secret), other.headers)).status).toBe(404);
    const own = and(eq(secondFactors.tenantId, tenant), eq(secondFactors.userId, userId));
    await db()
      .update(secondFactors)
      .set({ createdAt: minutesAgo(61) })
      .where(own);
    expect((await confirm(body.id, codeOf(body.secret))).status).toBe(404);
    const { body: anew } = await create();
    expect((await confirm(anew.id, codeOf(anew.secret))).status).toBe(200);
    expect((await confirm(anew.id, codeOf(anew.secret, 1))).body.code).toBe(
      "second-factor.confirmed",
    );
  });

  test("409 for a sixth one, and for a program", async () => {
    for (let n = 0; n < 5; n += 1) await makeFactor(tenant, userId);
    expect((await create()).body.code).toBe("second-factor.limit-reached");
    const program = await makeUser(tenant, {
      roleIds: ["portal.default"],
      row: { kind: "service" },
    });
    const { headers: theirs } = await makeSession(tenant, program.userId);
    expect((await create(theirs)).body.code).toBe("user.no-password");
  });

  test("403 outside the home tenant, for each operation", async () => {
    const { factorId } = await makeFactor(tenant, userId);
    const other = await makeTenant();
    const row = { userId, homeTenantId: tenant };
    await makeUser(other, { roleIds: ["portal.default"], row });
    const { headers: member } = await makeSession(other, userId);
    const answers = await Promise.all([
      send(`GET ${path}`, { headers: member }),
      create(member),
      confirm(factorId, "123456", member),
      send(`DELETE ${path}/${factorId}`, { headers: member }),
      send(`GET ${path}/recovery-codes`, { headers: member }),
      send(`POST ${path}/recovery-codes`, { headers: member }),
    ]);
    for (const { body } of answers) expect(body.code).toBe("user.other-home");
  });
});

describe("401 auth.step-up-required, whatever the policy", () => {
  test("a stolen session without recent authentication neither adds nor removes a factor", async () => {
    const { factorId } = await makeFactor(tenant, userId);
    const { headers: old } = await makeSession(tenant, userId, { authenticatedAt: minutesAgo(16) });
    const answers = await Promise.all([
      create(old),
      confirm(factorId, "123456", old),
      send(`DELETE ${path}/${factorId}`, { headers: old }),
      send(`POST ${path}/recovery-codes`, { headers: old }),
    ]);
    for (const { body } of answers)
      expect(body).toMatchObject({ code: "auth.step-up-required", reason: "code" });
  });

  test("nor where the policy allows an older authentication", async () => {
    const boss = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const policy = { ...(await makeSession(tenant, boss.userId)), body: { stepUp: "PT24H" } };
    expect((await send("PUT /v1/tenant/security-policy", policy)).body.stepUp).toBe("P1D");
    const { headers: old } = await makeSession(tenant, userId, { authenticatedAt: minutesAgo(20) });
    expect((await create(old)).body.code).toBe("auth.step-up-required");
  });

  test("nor does it add the first one, which requires the password", async () => {
    const { headers: old } = await makeSession(tenant, userId, { authenticatedAt: minutesAgo(16) });
    expect((await create(old)).body.reason).toBe("password");
  });
});

describe("step-up of a user with a second factor", () => {
  const stepUp = (body: object, as: Record<string, string>) =>
    send("POST /v1/user/session/step-up", { headers: as, body });

  test("the password is not enough; a code is, and works once", async () => {
    const { code: codeOfNow } = await makeFactor(tenant, userId);
    const code = codeOfNow();
    const { headers: old } = await makeSession(tenant, userId, { authenticatedAt: minutesAgo(16) });
    expect((await stepUp({ password }, old)).body.reason).toBe("/code");
    const proven = await stepUp({ code }, old);
    expect(proven.body.authenticatedBy).toEqual(["password", "totp"]);
    expect((await create(old)).status).toBe(201);
    expect((await stepUp({ code }, old)).body.reason).toBe("/code");
  });

  test("a recovery code too", async () => {
    const { recoveryCodes: codes } = await makeFactor(tenant, userId);
    const proven = await stepUp({ recoveryCode: codes[0] }, headers);
    expect(proven.body.authenticatedBy).toEqual(["password", "recovery-code"]);
    expect((await list()).recoveryCodesLeft).toBe(9);
  });

  test("400 for a code without a factor", async () => {
    expect((await stepUp({ code: "123456" }, headers)).body.reason).toBe("/password");
  });
});

test("the policy auto requires step-up once a user of the tenant has a second factor", async () => {
  const eve = await makeUser(tenant, { roleIds: ["portal.default"], password });
  const old = await makeSession(tenant, eve.userId, { authenticatedAt: minutesAgo(16) });
  const newKey = () =>
    send("POST /v1/user/profile/api-keys", {
      headers: old.headers,
      body: { name: `k${Math.random()}`, validTo: new Date(Date.now() + 86_400_000).toISOString() },
    });
  expect((await newKey()).status).toBe(200);
  await makeFactor(tenant, userId);
  expect((await newKey()).body).toMatchObject({
    code: "auth.step-up-required",
    reason: "password",
  });
});

describe("removal", () => {
  test("204: the recovery codes are deleted with the last factor, and only the password is needed again", async () => {
    const { factorId } = await makeFactor(tenant, userId);
    expect((await send(`DELETE ${path}/${factorId}`, { headers })).status).toBe(204);
    expect((await send(`DELETE ${path}/${factorId}`, { headers })).status).toBe(404);
    expect(await list()).toEqual({ factors: [], recoveryCodesLeft: 0 });
    expect((await logIn()).status).toBe(200);
    expect(await actions()).toEqual(["user.second-factor-removed"]);
  });

  test("recovery codes are replaced as a whole; 409 without a factor", async () => {
    expect((await send(`POST ${path}/recovery-codes`, { headers })).status).toBe(409);
    const { recoveryCodes: former } = await makeFactor(tenant, userId);
    const { body } = await send(`POST ${path}/recovery-codes`, { headers });
    expect(body.recoveryCodes).toHaveLength(10);
    const asked = await logIn();
    const tried = await send("POST /v1/user/session-login/second-factor", {
      headers: { "X-Service-Tenant": tenant },
      body: { challenge: asked.body.reason, recoveryCode: former[0] },
    });
    expect(tried.body.code).toBe("auth.second-factor-failed");
  });
});
