import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { sessions, tenants } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();

/** The limit of sandboxes is 5 an hour. */
beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  delete process.env.RATE_LIMITS;
});

async function signedIn(row: Parameters<typeof makeSession>[2] = {}) {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  return { tenant, userId, ...(await makeSession(tenant, userId, row)) };
}

async function makeSandbox(headers: Headers): Promise<string> {
  const tenant = `t-${randomBytes(6).toString("hex")}`;
  const made = await send("POST /v1/user/sandboxes", {
    headers,
    body: { tenant, site: "shop", name: "Sandbox" },
  });
  expect(made.status).toBe(201);
  return tenant;
}

const switchTo = (headers: Headers, tenant: string) =>
  send("POST /v1/user/session/switch", { headers, body: { tenant } });
const headersFor = (tenant: string, sessionId: string) => ({
  "X-Service-Tenant": tenant,
  "X-Service-Session-Id": sessionId,
});

const storedSession = async (tenant: string, ref: string) =>
  (
    await db()
      .select()
      .from(sessions)
      .where(and(eq(sessions.tenantId, tenant), eq(sessions.sessionRef, ref)))
  )[0];

test("200: the new session keeps the parent's authentication time and end, and records its parent", async () => {
  const createdAt = new Date(Date.now() - 11 * 3_600_000);
  const expiresAt = new Date(createdAt.getTime() + 12 * 3_600_000);
  const ada = await signedIn({ createdAt, expiresAt, authenticatedAt: createdAt });
  const sandbox = await makeSandbox(ada.headers);
  const { body } = await switchTo(ada.headers, sandbox);
  const there = headersFor(sandbox, body.sessionId);
  const listed = await send("GET /v1/user/sessions", { headers: there });
  expect(listed.body).toMatchObject([
    { ref: body.ref, expiresAt: expiresAt.toISOString(), authenticatedAt: createdAt.toISOString() },
  ]);
  expect(await storedSession(sandbox, body.ref)).toMatchObject({
    parentTenantId: ada.tenant,
    parentRef: ada.sessionRef,
  });
});

test("200: switching back and forth never prolongs the sign-in", async () => {
  const ada = await signedIn({ expiresAt: new Date(Date.now() + 60_000) });
  const sandbox = await makeSandbox(ada.headers);
  let headers: Headers = ada.headers;
  const ends: string[] = [];
  for (const tenant of [sandbox, ada.tenant, sandbox, ada.tenant]) {
    const { body } = await switchTo(headers, tenant);
    headers = headersFor(tenant, body.sessionId);
    ends.push((await send("GET /v1/user/session", { headers })).body.expiresAt);
  }
  const [first] = (
    await send("GET /v1/user/sessions?limit=200", { headers: ada.headers })
  ).body.slice(-1);
  expect(new Set(ends)).toEqual(new Set([first.expiresAt]));
});

test("200: a shorter absolute lifetime of the other tenant applies there; 403 where the sign-in is older than it", async () => {
  const authenticatedAt = new Date(Date.now() - 30 * 60_000);
  const ada = await signedIn({ createdAt: authenticatedAt, authenticatedAt });
  const sandbox = await makeSandbox(ada.headers);
  const setAbsolute = (seconds: number) =>
    db()
      .update(tenants)
      .set({ policy: { sessionAbsoluteSeconds: seconds } })
      .where(eq(tenants.tenantId, sandbox));
  await setAbsolute(3600);
  const { body } = await switchTo(ada.headers, sandbox);
  const { body: session } = await send("GET /v1/user/session", {
    headers: headersFor(sandbox, body.sessionId),
  });
  expect(session.expiresAt).toBe(new Date(authenticatedAt.getTime() + 3_600_000).toISOString());
  await setAbsolute(600);
  const refused = await switchTo(ada.headers, sandbox);
  expect([refused.status, refused.body.code]).toEqual([403, "auth.credentials-expired"]);
});

test("409: to the tenant that the session already belongs to", async () => {
  const ada = await signedIn();
  const answer = await switchTo(ada.headers, ada.tenant);
  expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
    409,
    "session.same-tenant",
    "/tenant",
  ]);
});

describe("401: a session opened by a thief in a sandbox ends with", () => {
  const password = "a password of some length";
  const newPassword = "an even longer password";

  /** A stolen session, and a session that the thief opened from it in a sandbox of the victim. */
  async function robbed() {
    const tenant = await makeTenant();
    const victim = await makeUser(tenant, { roleIds: ["portal.default"], password });
    const admin = await makeSession(
      tenant,
      (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
    );
    const own = await makeSession(tenant, victim.userId);
    const stolen = await makeSession(tenant, victim.userId);
    const sandbox = await makeSandbox(stolen.headers);
    const { body } = await switchTo(stolen.headers, sandbox);
    const parked = headersFor(sandbox, body.sessionId);
    const { body: token } = await send("POST /v1/user/portal-token", { headers: parked });
    const bearer = { "X-Service-Tenant": sandbox, Authorization: `Bearer ${token.accessToken}` };
    const statuses = async () => ({
      parked: (await send("GET /v1/user/session", { headers: parked })).status,
      bearer: (await send("GET /v1/user/session", { headers: bearer })).status,
      stolen: (await send("GET /v1/user/session", { headers: stolen.headers })).status,
      back: (await switchTo(parked, tenant)).status,
      forth: (await switchTo(stolen.headers, sandbox)).status,
    });
    expect(await statuses()).toEqual({
      parked: 200,
      bearer: 200,
      stolen: 200,
      back: 200,
      forth: 200,
    });
    return { tenant, victim, admin, own, sandbox, statuses };
  }

  const ended = { parked: 401, bearer: 401, stolen: 401, back: 401, forth: 401 };

  test("a change of the password, which only the calling session survives", async () => {
    const { own, statuses } = await robbed();
    const changed = await send("PUT /v1/user/password", {
      headers: own.headers,
      body: { current: password, password: newPassword },
    });
    expect(changed.status).toBe(204);
    expect(await statuses()).toEqual(ended);
    const listed = await send("GET /v1/user/sessions", { headers: own.headers });
    expect(listed.body).toMatchObject([{ ref: own.sessionRef, current: true }]);
  });

  test("a confirmed reset", async () => {
    const { tenant, victim, admin, own, statuses } = await robbed();
    const link = await send(`POST /v1/user/${victim.userId}/password-reset`, {
      headers: admin.headers,
    });
    const body = { token: link.body.token, password: newPassword };
    const confirmed = await send("POST /v1/user/password-resets/confirm", {
      headers: { "X-Service-Tenant": tenant },
      body,
    });
    expect(confirmed.status).toBe(204);
    expect(await statuses()).toEqual(ended);
    expect((await send("GET /v1/user/session", { headers: own.headers })).status).toBe(401);
  });

  test("an administrator who ends all sessions, recorded in the audit trail", async () => {
    const { victim, admin, statuses } = await robbed();
    expect(
      (await send(`DELETE /v1/user/${victim.userId}/sessions`, { headers: admin.headers })).status,
    ).toBe(204);
    expect(await statuses()).toEqual(ended);
    const trail = await send(`GET /v1/audit/events?target=${victim.userId}&limit=1`, {
      headers: admin.headers,
    });
    expect(trail.body).toMatchObject([{ action: "user.sessions-ended" }]);
  });

  test("deactivation, also after the user is active again", async () => {
    const { victim, admin, statuses } = await robbed();
    await send(`POST /v1/user/${victim.userId}/deactivate`, { headers: admin.headers });
    expect(await statuses()).toEqual(ended);
    await send(`POST /v1/user/${victim.userId}/reactivate`, { headers: admin.headers });
    expect(await statuses()).toEqual(ended);
  });
});
