import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { raiseAccessVersion, withAccessChange } from "@/lib/access/access-versions";
import { flushUses } from "@/lib/access/last-used";
import { portalCookieName, sealSessions } from "@/lib/access/portal-cookie";
import { transaction } from "@/lib/database/open";
import { apiKeys, sessions, users } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let admin: Record<string, string>;

beforeAll(async () => {
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { login: "admin", roleIds: ["tenant.admin"] });
  admin = (await makeApiKey(tenant, userId)).headers;
});

const list = (query = "", headers = admin) => send(`GET /v1/user/list${query}`, { headers });

describe("400: an invalid parameter is reported once, with the accepted values", () => {
  test.each([
    ["?fields=nope,other", "?fields", "must be one of lastLoginAt, state"],
    ["?limit=1&limit=2", "?limit", "?limit was given more than once"],
    ["?lock=true&lock=true", "?lock", "?lock was given more than once"],
    ["?q=a%00b", "?q", "must not contain the control character U+0000"],
    ["?cursor=abc", "?cursor", "must come from the Link header"],
    ["?limit=1&cursor=abc", "?cursor", "must come from the Link header"],
  ])("%s", async (query, reason, detail) => {
    const { status, body } = await list(query);
    expect([status, body.reason]).toEqual([400, reason]);
    expect(body.detail).toContain(detail);
  });
});

test("200: a use that is not stored yet keeps a session valid", async () => {
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers, sessionRef } = await makeSession(tenant, userId, { idleSeconds: 1800 });
  expect((await list("", headers)).status).toBe(200);
  await flushUses(true);
  await withAccessChange(tenant, (tx) =>
    tx
      .update(sessions)
      .set({ lastSeenAt: new Date(Date.now() - 3_600_000) })
      .where(and(eq(sessions.tenantId, tenant), eq(sessions.sessionRef, sessionRef))),
  );
  expect((await list("", headers)).status).toBe(200);
});

describe("a session of a page that polls in the browser", () => {
  /** The statuses of one read per half minute during two idle timeouts. */
  async function statusesOfPolling(more: Record<string, string>, asHeader = false) {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers, sessionId } = await makeSession(tenant, userId, { idleSeconds: 60 });
    const sealed = await sealSessions(new Map([[tenant, sessionId]]), 3600);
    const Cookie = `${portalCookieName()}=${sealed}`;
    const credential = asHeader ? headers : { "X-Service-Tenant": tenant, Cookie };
    const statuses: number[] = [];
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (let read = 0; read < 4; read += 1) {
        statuses.push((await list("", { ...credential, ...more })).status);
        vi.setSystemTime(Date.now() + 30_000);
      }
    } finally {
      vi.useRealTimers();
    }
    return statuses;
  }
  const background = { "X-Service-Background": "true" };

  test("ends after its idle timeout if no user action occurs", async () => {
    expect(await statusesOfPolling(background)).toEqual([200, 200, 403, 403]);
  });

  test("stays valid with user actions", async () => {
    expect(await statusesOfPolling({})).toEqual([200, 200, 200, 200]);
  });

  test("stays valid where the session is in a header: programs have no page", async () => {
    expect(await statusesOfPolling(background, true)).toEqual([200, 200, 200, 200]);
  });
});

describe("401", () => {
  test.each([
    ["no credential", {}, "auth.credentials-missing"],
    ["a key with a typo", { "X-Service-API-Key": "svk_x" }, "auth.credentials-invalid"],
    [
      "an unknown session",
      { "X-Service-Session-Id": `svs_${"a".repeat(43)}` },
      "auth.credentials-invalid",
    ],
    ["a bearer that is none", { Authorization: "Bearer a.b.c" }, "auth.credentials-invalid"],
  ])("%s", async (_, headers, code) => {
    const answer = await list("", { "X-Service-Tenant": tenant, ...headers });
    expect([answer.status, answer.body.code]).toEqual([401, code]);
    expect(answer.headers.get("www-authenticate")).toContain("ApiKey");
  });

  test("a key of another tenant, and of an unknown tenant, get the same response", async () => {
    const other = await makeTenant();
    const answers = await Promise.all(
      [other, "no-such-tenant"].map((id) => list("", { ...admin, "X-Service-Tenant": id })),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [401, answers[1]?.text],
      [401, answers[0]?.text],
    ]);
  });
});

describe("403", () => {
  test("a role without user.read gets the missing permission", async () => {
    const { userId } = await makeUser(tenant, { login: "low", roleIds: ["portal.default"] });
    const answer = await list("", (await makeApiKey(tenant, userId)).headers);
    expect(answer.body).toMatchObject({
      name: "AuthorizationError",
      code: "auth.permission-missing",
      reason: "user.read",
    });
  });

  test.each([
    ["auth.credentials-expired", { validTo: new Date(Date.now() - 1000) }],
    ["auth.api-key-suspended", { suspendedAt: new Date() }],
  ])("%s", async (code, row) => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const answer = await list("", (await makeApiKey(tenant, userId, row)).headers);
    expect([answer.status, answer.body.code]).toEqual([403, code]);
  });

  test("the error for an expired session says when it expired, and to open a new one", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const ended = new Date(Date.now() - 5000);
    const sessions = await Promise.all([
      makeSession(tenant, userId, { expiresAt: ended }),
      makeSession(tenant, userId, { lastSeenAt: ended, idleSeconds: 4 }),
    ]);
    for (const { headers } of sessions) {
      const answer = await list("", headers);
      expect([answer.status, answer.body.code]).toEqual([403, "auth.credentials-expired"]);
      expect(new Date(answer.body.reason) < new Date()).toBe(true);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
  });

  test("a locked owner is rejected within a second although the key was just used", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeApiKey(tenant, userId);
    expect((await list("", headers)).status).toBe(200);
    await withAccessChange(tenant, (tx) =>
      tx.update(users).set({ isLocked: true }).where(eq(users.tenantId, tenant)),
    );
    const answer = await list("", headers);
    await withAccessChange(tenant, (tx) =>
      tx.update(users).set({ isLocked: false }).where(eq(users.tenantId, tenant)),
    );
    expect([answer.status, answer.body.code]).toEqual([403, "user.locked"]);
  });

  test("401: a key revoked by another process is rejected once the cache entry is a second old", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers, apiKeyId } = await makeApiKey(tenant, userId);
    expect((await list("", headers)).status).toBe(200);
    await transaction(async (tx) => {
      await raiseAccessVersion(tx, tenant);
      await tx
        .update(apiKeys)
        .set({ revokedAt: new Date() })
        .where(and(eq(apiKeys.tenantId, tenant), eq(apiKeys.apiKeyId, apiKeyId)));
    });
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 1000);
    const { status } = await list("", headers);
    vi.restoreAllMocks();
    expect(status).toBe(401);
  });
});
