import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, sessions } from "@/lib/database/schema/schema";
import { flushFailedLogins } from "@/lib/features/sessions/failed-logins";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const operation = "POST /v1/user/session-login";
const password = "correct horse battery";
let tenant: string;

beforeAll(async () => {
  tenant = await makeTenant();
  await makeUser(tenant, { login: "Ann", password, roleIds: ["portal.default"] });
});

const login = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  send(operation, {
    headers: { "X-Service-Tenant": tenant, ...headers },
    body: { login: "Ann", tenant, password, ...body },
  });

describe("200", () => {
  test("the response has only the session id, which opens the session", async () => {
    const answer = await login({});
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["sessionId"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const headers = {
      "x-service-tenant": tenant,
      "X-SERVICE-SESSION-ID": ` ${answer.body.sessionId} `,
    };
    const session = await send("GET /v1/user/session", { headers });
    expect([session.status, session.body.user.login]).toEqual([200, "Ann"]);
  });

  test("a login matches in any case and with surrounding white space", async () => {
    expect((await login({ login: " aNN " })).status).toBe(200);
  });

  test("neither the session id nor the password is stored in plain text", async () => {
    const { body } = await login({});
    const rows = await db().select().from(sessions).where(eq(sessions.tenantId, tenant));
    const audit = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant));
    const stored =
      JSON.stringify([rows, audit]) + rows.map((row) => row.secretHash.toString("latin1")).join();
    expect(stored).not.toContain(body.sessionId);
    expect(stored).not.toContain(password);
  });

  test("the 21st session ends the oldest", async () => {
    const own = await makeTenant();
    const { login: name } = await makeUser(own, { password, roleIds: ["portal.default"] });
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1) {
      const answer = await send(operation, {
        headers: { "X-Service-Tenant": own },
        body: { login: name, tenant: own, password },
      });
      ids.push(answer.body.sessionId);
    }
    const statuses = await Promise.all(
      [ids[0], ids[1], ids[20]].map(
        async (id) =>
          (
            await send("GET /v1/user/session", {
              headers: { "X-Service-Tenant": own, "X-Service-Session-Id": id ?? "" },
            })
          ).status,
      ),
    );
    expect(statuses).toEqual([401, 200, 200]);
  });
});

describe("401", () => {
  test("unknown tenant, unknown login, wrong password, locked with wrong password and invited cannot be distinguished", async () => {
    await makeUser(tenant, {
      login: "locked",
      password,
      roleIds: ["portal.default"],
      row: { isLocked: true },
    });
    await makeUser(tenant, { login: "invited", password, row: { state: "invited" } });
    const answers = await Promise.all([
      login({ login: "nobody" }),
      login({ password: "wrong" }),
      login({ login: "locked", password: "wrong" }),
      login({ login: "invited" }),
      send(operation, {
        headers: { "X-Service-Tenant": "no-such-tenant" },
        body: { login: "Ann", tenant: "no-such-tenant", password },
      }),
    ]);
    const seen = answers.map(({ status, text, headers }) => {
      const names = [...headers].filter(
        ([name]) => !["x-service-request-id", "date", "ratelimit"].includes(name),
      );
      return JSON.stringify([status, text, names]);
    });
    expect(new Set(seen).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({
      name: "AuthenticationError",
      code: "auth.login-failed",
    });
    expect(answers[0]?.headers.get("www-authenticate")).toBeTruthy();
  });

  test("a failed sign-in of a known login is in the audit trail, without the typed text", async () => {
    const own = await makeTenant();
    const { userId, login: name } = await makeUser(own, { password });
    await send(operation, {
      headers: { "X-Service-Tenant": own },
      body: { login: name, tenant: own, password: "what I typed" },
    });
    await send(operation, {
      headers: { "X-Service-Tenant": own },
      body: { login: "my password by mistake", tenant: own, password: "x" },
    });
    await flushFailedLogins();
    const entries = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, own));
    expect(entries.map(({ action, result, target }) => [action, result, target.id])).toEqual([
      ["session.login-failed", "failure", userId],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/what I typed|by mistake/);
  });
});

describe("403, only for the right password", () => {
  test.each([
    ["user.locked", { isLocked: true }, ["portal.default"]],
    ["user.deactivated", { state: "deactivated" as const }, ["portal.default"]],
    [
      "auth.password-expired",
      { mustChangePassword: true, passwordExpiresAt: new Date(Date.now() - 1000) },
      ["portal.default"],
    ],
    ["user.no-role", {}, []],
  ])("%s", async (code, row, roleIds) => {
    const { login: name } = await makeUser(tenant, { password, roleIds, row });
    const answer = await login({ login: name });
    expect([answer.status, answer.body.code]).toEqual([403, code]);
  });

  test("an expired lock has no effect", async () => {
    const { login: name } = await makeUser(tenant, {
      password,
      roleIds: ["portal.default"],
      row: { isLocked: true, lockedUntil: new Date(Date.now() - 1000) },
    });
    expect((await login({ login: name })).status).toBe(200);
  });

  test("a site where the user has no role", async () => {
    const { login: name } = await makeUser(tenant, {
      password,
      sites: { one: ["portal.pim.mgmt"] },
    });
    expect((await login({ login: name, site: "one" })).status).toBe(200);
    expect((await login({ login: name, site: "two" })).status).toBe(403);
  });

  test("a one-time password only allows changing it", async () => {
    const { login: name } = await makeUser(tenant, {
      password,
      roleIds: ["tenant.admin"],
      row: { mustChangePassword: true },
    });
    const { body } = await login({ login: name });
    const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": body.sessionId };
    const list = await send("GET /v1/user/list", { headers });
    expect([list.status, list.body.code]).toEqual([403, "auth.password-change-required"]);
    const change = await send("PUT /v1/user/password", {
      headers,
      body: { current: password, password: "a longer one, my own" },
    });
    expect(change.status).toBe(204);
    expect((await send("GET /v1/user/list", { headers })).status).toBe(200);
    expect((await login({ login: name })).status).toBe(401);
  });
});

test("429: from the sixth failure a login is delayed, and the delay ends no open session", async () => {
  stopClock();
  const own = await makeTenant();
  const { login: name } = await makeUser(own, { password, roleIds: ["portal.default"] });
  const attempt = (given: string) =>
    send(operation, {
      headers: { "X-Service-Tenant": own },
      body: { login: name, tenant: own, password: given },
    });
  const open = (await attempt(password)).body.sessionId;
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1) statuses.push((await attempt("wrong")).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
  const refused = await attempt(password);
  expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "auth.too-many-attempts",
    "1",
  ]);
  expect(
    (
      await send("GET /v1/user/session", {
        headers: { "X-Service-Tenant": own, "X-Service-Session-Id": open },
      })
    ).status,
  ).toBe(200);
});

test("a member of another tenant signs in with the same password, and only the home tenant may change it", async () => {
  const [home, other] = [await makeTenant(), await makeTenant()];
  const { userId } = await makeUser(home, {
    login: "dual",
    password,
    roleIds: ["portal.users.mgmt"],
  });
  await makeUser(other, {
    login: "dual-there",
    roleIds: ["portal.default"],
    row: { userId, homeTenantId: home },
  });
  const answer = await send(operation, {
    headers: { "X-Service-Tenant": other },
    body: { login: "dual-there", tenant: other, password },
  });
  const headers = { "X-Service-Tenant": other, "X-Service-Session-Id": answer.body.sessionId };
  expect((await send("GET /v1/user/list", { headers })).status).toBe(403);
  expect(
    (await send("GET /v1/user/session", { headers: { ...headers, "X-Service-Tenant": home } }))
      .status,
  ).toBe(401);
  const change = await send("PUT /v1/user/password", {
    headers,
    body: { current: password, password: "another long password" },
  });
  expect([change.status, change.body.code]).toEqual([403, "user.other-home"]);
});
