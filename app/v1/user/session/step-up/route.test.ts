import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { assertSteppedUp } from "@/lib/access/step-up";
import { db } from "@/lib/database/open";
import { auditEvents, sessions, users } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const operation = "POST /v1/user/session/step-up";
const password = "correct horse battery";
let tenant: string;
let userId: string;
let headers: Record<string, string>;
let sessionRef: string;

const findSession = async (tenantId: string, ref: string) => {
  const same = and(eq(sessions.tenantId, tenantId), eq(sessions.sessionRef, ref));
  const [row] = await db().select().from(sessions).where(same);
  return row;
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const stale = (minutes = 20) =>
  makeSession(tenant, userId, { authenticatedAt: minutesAgo(minutes), createdAt: minutesAgo(60) });
const newKey = () => ({
  name: `key ${Math.random()}`,
  validTo: new Date(Date.now() + 86_400_000).toISOString(),
});
const createKey = (as: Record<string, string>) =>
  send("POST /v1/user/profile/api-keys", { headers: as, body: newKey() });
const setPolicy = async (stepUp: string) => {
  const { headers: fresh } = await makeSession(tenant, userId);
  return send("PUT /v1/tenant/security-policy", { headers: fresh, body: { stepUp } });
};

beforeAll(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["tenant.admin"] }));
});
beforeEach(async () => {
  expect((await setPolicy("PT15M")).body.stepUp).toBe("PT15M");
  ({ headers, sessionRef } = await stale());
});

describe("401 auth.step-up-required", () => {
  test("names the accepted methods, and the maximum age of the authentication", async () => {
    const answer = await createKey(headers);
    expect(answer.body).toMatchObject({ code: "auth.step-up-required", reason: "password" });
    expect(answer.headers.get("www-authenticate")).toBe(
      'Session realm="gatehouse", error="insufficient_user_authentication", max_age="900"',
    );
  });

  test("also for a management bearer of the session", async () => {
    const caller = {
      ...{ kind: "bearer", tenantId: tenant, credentialId: sessionRef, userId },
      authenticatedAt: minutesAgo(20),
    } as Parameters<typeof assertSteppedUp>[0];
    await expect(assertSteppedUp(caller, "policy")).rejects.toMatchObject({
      code: "auth.step-up-required",
      headers: { "WWW-Authenticate": expect.stringMatching(/^Bearer .*max_age="900"$/) },
    });
  });

  test("for a sign-in older than the policy allows, but not for a later one", async () => {
    await setPolicy("PT1H");
    expect((await createKey(headers)).status).toBe(200);
    expect((await createKey((await stale(61)).headers)).status).toBe(401);
  });

  test("for an invitation of a tenant.admin, also of one site, and for no other", async () => {
    const invite = (login: string, roleIds: string[], sites = {}) =>
      send("POST /v1/user/invitations", {
        headers,
        body: {
          ...{ login, name: login, emailAddress: `${login}@example.com` },
          roles: { roleIds, sites },
        },
      });
    expect((await invite("bob", ["portal.default"])).status).toBe(201);
    expect((await invite("eve", ["tenant.admin"])).body.code).toBe("auth.step-up-required");
    const atSite = { one: { roleIds: ["tenant.admin"] } };
    expect((await invite("joe", [], atSite)).body.code).toBe("auth.step-up-required");
  });

  test("to enable an audit stream, as for its other changes", async () => {
    const answer = await send("POST /v1/audit/streams/none/enable", { headers });
    expect(answer.body.code).toBe("auth.step-up-required");
  });

  test("after the permission check: a caller without the permission gets no step-up", async () => {
    const other = await makeUser(tenant, { roleIds: ["portal.default"] });
    const old = await makeSession(tenant, other.userId, { authenticatedAt: minutesAgo(20) });
    const answer = await send("PUT /v1/tenant/security-policy", {
      headers: old.headers,
      body: {},
    });
    expect(answer.body.code).toBe("auth.permission-missing");
  });

  test("never for an API key", async () => {
    const service = await makeUser(tenant, { roleIds: ["tenant.admin"], row: { kind: "service" } });
    const { headers: key } = await makeApiKey(tenant, service.userId, {
      permissions: ["user.manage"],
    });
    const site = await send(`PUT /v1/user/${userId}/roles`, {
      headers: { ...key, "If-Match": '"other"' },
      body: { roleIds: [], sites: {} },
    });
    expect(site.body.code).not.toBe("auth.step-up-required");
  });
});

test.each(["auto", "off"])("is not required where the policy is %s", async (stepUp) => {
  expect((await setPolicy(stepUp)).body.stepUp).toBe(stepUp);
  expect((await createKey(headers)).status).toBe(200);
});

test("200: the session is fresh at once, its expiry does not change, and the audit trail records the method", async () => {
  expect((await createKey(headers)).status).toBe(401);
  const before = await findSession(tenant, sessionRef);
  const answer = await send(operation, { headers, body: { password } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.authenticatedBy).toEqual(["password"]);
  expect((await createKey(headers)).status).toBe(200);
  const after = await findSession(tenant, sessionRef);
  expect(after?.expiresAt).toEqual(before?.expiresAt);
  const entries = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenant), eq(auditEvents.action, "session.stepped-up")));
  expect(entries.map(({ target }) => target.id)).toContain(sessionRef);
});

test("400: a wrong password changes nothing", async () => {
  const answer = await send(operation, { headers, body: { password: "wrong" } });
  expect([answer.status, answer.body.reason]).toEqual([400, "/password"]);
  expect((await createKey(headers)).status).toBe(401);
});

test("429: wrong passwords count as failed sign-ins of the login", async () => {
  stopClock();
  const own = await makeUser(tenant, { password, roleIds: ["portal.default"] });
  const { headers: theirs } = await makeSession(tenant, own.userId);
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1)
    statuses.push((await send(operation, { headers: theirs, body: { password: "wrong" } })).status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429]);
});

test("401: a session that ended in the meantime is not made fresh", async () => {
  const own = await makeUser(tenant, { password, roleIds: ["portal.default"] });
  const { headers: theirs } = await makeSession(tenant, own.userId);
  await db()
    .update(users)
    .set({ credentialEpoch: 1 })
    .where(and(eq(users.tenantId, tenant), eq(users.userId, own.userId)));
  const answer = await send(operation, { headers: theirs, body: { password } });
  expect([answer.status, answer.body.code]).toEqual([401, "auth.credentials-invalid"]);
});

test("a member of another tenant steps up with the same password", async () => {
  const other = await makeTenant();
  await makeUser(other, { roleIds: ["tenant.admin"], row: { userId, homeTenantId: tenant } });
  const member = await makeSession(other, userId, { authenticatedAt: minutesAgo(20) });
  const answer = await send(operation, { headers: member.headers, body: { password } });
  expect(answer.status, answer.text).toBe(200);
});

test("a switch keeps the time and method of the authentication", async () => {
  const other = await makeTenant();
  await makeUser(other, { roleIds: ["tenant.admin"], row: { userId, homeTenantId: tenant } });
  const { body } = await send("POST /v1/user/session/switch", { headers, body: { tenant: other } });
  const row = await findSession(other, body.ref);
  expect(Date.now() - (row?.authenticatedAt?.getTime() ?? 0)).toBeGreaterThan(19 * 60_000);
  expect(row?.authenticatedBy).toBe("password");
});

test("the list of sessions and a verification show time and method", async () => {
  const listed = await send("GET /v1/user/sessions", { headers });
  const own = listed.body.find(({ current }: { current: boolean }) => current);
  expect(own.authenticatedBy).toEqual(["password"]);
  const service = await makeUser(tenant, { roleIds: ["tenant.admin"], row: { kind: "service" } });
  const key = await makeApiKey(tenant, service.userId);
  const verified = await send("POST /v1/access/verify", {
    headers: key.headers,
    body: { credentials: [{ sessionId: headers["X-Service-Session-Id"] }] },
  });
  expect(verified.body[0]).toMatchObject({
    authenticatedAt: own.authenticatedAt,
    authenticatedBy: ["password"],
  });
});
