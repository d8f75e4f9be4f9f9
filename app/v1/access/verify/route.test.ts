import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { newApiKey, newSessionId } from "@/lib/access/secrets";
import { signToken } from "@/lib/access/signed-tokens";
import { db } from "@/lib/database/open";
import { idempotentAnswers } from "@/lib/database/schema/schema";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testDoor } from "@/lib/http/testing/front-door";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testDoor();
let shop: Shop;
let tenant: string;
let verifier: Headers;
let manager: Headers;

/** A key for verifying, of a service user whose key is restricted to it. */
async function verifierIn(where: string): Promise<Headers> {
  const row = { kind: "service" as const };
  const { userId } = await makeUser(where, { roleIds: ["portal.configurations.mgmt"], row });
  return (await makeApiKey(where, userId, { permissions: ["credential.verify"] })).headers;
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  tenant = shop.tenant;
  verifier = await verifierIn(tenant);
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  manager = (await makeSession(tenant, userId)).headers;
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

const verify = (credentials: unknown[], headers = verifier) =>
  send("POST /v1/access/verify", { headers, body: { credentials } });

async function verdict(credential: object, headers = verifier) {
  const { status, body, text } = await verify([credential], headers);
  expect(status, text).toBe(200);
  return body[0];
}

const unknown = { active: false, code: "UNKNOWN", cacheFor: 0 };

describe("POST /v1/access/verify, 200", () => {
  test("says who holds an API key, what it allows and how long the answer may be reused", async () => {
    const { userId, login } = await makeUser(tenant, {
      roleIds: ["portal.order.mgmt"],
      sites: { one: ["portal.pim.mgmt"] },
    });
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    expect(await verdict({ apiKey, permission: "order.manage", site: "one" })).toEqual({
      active: true,
      code: "VALID",
      kind: "apiKey",
      credentialId: apiKeyId,
      subject: userId,
      login,
      permissions: ["preview.configuration.read", "preview.configuration.write", "order.manage"],
      sites: ["one", "two"],
      expiresAt: expect.stringMatching(/Z$/),
      cacheFor: 60,
    });
  });

  test("knows sessions, management bearers and customers' access tokens", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { sessionId, sessionRef } = await makeSession(tenant, userId);
    const owner = { tenantId: tenant, userId, credentialId: sessionRef };
    const { accessToken } = await issueManagementBearer(owner);
    const customer = await shop.customer();
    const pair = await shop.enter(customer.login);
    const { body } = await verify([
      { sessionId },
      { token: accessToken },
      { token: pair.accessToken },
    ]);
    expect(body).toMatchObject([
      { active: true, kind: "session", credentialId: sessionRef, subject: userId },
      { active: true, kind: "bearer", credentialId: sessionRef, subject: userId },
      { active: true, kind: "customer", subject: customer.id, sites: ["one"], permissions: [] },
    ]);
    const inMs = Date.parse(body[1].expiresAt) - Date.now();
    expect(inMs).toBeLessThanOrEqual(15 * 60_000);
  });

  test("tells expired, suspended, revoked, retired and locked credentials apart", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const locked = await makeUser(tenant, { roleIds: ["portal.default"], row: { isLocked: true } });
    const gone = await makeUser(tenant, {
      roleIds: ["portal.default"],
      row: { state: "deactivated" },
    });
    const past = new Date(Date.now() - 1000);
    const keys = [
      await makeApiKey(tenant, userId, { validTo: past }),
      await makeApiKey(tenant, userId, { suspendedAt: past }),
      await makeApiKey(tenant, userId, { revokedAt: past }),
      await makeApiKey(tenant, locked.userId),
      await makeApiKey(tenant, gone.userId),
    ];
    const { sessionId } = await makeSession(tenant, userId, { lastSeenAt: past, idleSeconds: 0 });
    const { body } = await verify([...keys.map(({ apiKey }) => ({ apiKey })), { sessionId }]);
    expect(body.map((one: { code: string }) => one.code)).toEqual([
      ...["EXPIRED", "SUSPENDED", "REVOKED", "LOCKED", "LOCKED", "EXPIRED"],
    ]);
    for (const one of body) {
      expect(one.active).toBe(false);
      expect(one.cacheFor).toBe(0);
      expect(one).not.toHaveProperty("permissions");
    }
  });

  test("refuses a permission that is not held, and a site at which nothing is", async () => {
    const { userId } = await makeUser(tenant, { sites: { one: ["portal.pim.mgmt"] } });
    const { apiKey } = await makeApiKey(tenant, userId);
    const permission = "preview.configuration.write";
    const { body } = await verify([
      { apiKey, permission, site: "one" },
      { apiKey, permission },
      { apiKey, permission: "order.manage", site: "one" },
      { apiKey, site: "two" },
      { apiKey, site: "nowhere" },
    ]);
    expect(body.map((one: { code: string }) => one.code)).toEqual([
      "VALID",
      "INSUFFICIENT_PERMISSION",
      "INSUFFICIENT_PERMISSION",
      "WRONG_SITE",
      "WRONG_SITE",
    ]);
  });

  test("a restricted key allows no more than its restriction", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { apiKey } = await makeApiKey(tenant, userId, {
      permissions: ["order.manage"],
      siteIds: ["one"],
    });
    expect(await verdict({ apiKey, site: "one" })).toMatchObject({
      permissions: ["order.manage"],
      sites: ["one"],
    });
    expect((await verdict({ apiKey, site: "two" })).code).toBe("WRONG_SITE");
    const asked = { apiKey, site: "one", permission: "user.read" };
    expect((await verdict(asked)).code).toBe("INSUFFICIENT_PERMISSION");
  });

  test("a one-time password's session allows nothing yet, and neither does somebody without a role", async () => {
    const fresh = await makeUser(tenant, {
      roleIds: ["portal.default"],
      row: { mustChangePassword: true },
    });
    const { sessionId } = await makeSession(tenant, fresh.userId);
    expect((await verdict({ sessionId })).code).toBe("INSUFFICIENT_PERMISSION");
    const { apiKey } = await makeApiKey(tenant, (await makeUser(tenant)).userId);
    expect((await verdict({ apiKey })).code).toBe("INSUFFICIENT_PERMISSION");
  });

  test("another tenant's credentials are as unknown as random texts", async () => {
    const other = await openShop(send);
    const { userId } = await makeUser(other.tenant, { roleIds: ["tenant.admin"] });
    const { apiKey } = await makeApiKey(other.tenant, userId);
    const { sessionId, sessionRef } = await makeSession(other.tenant, userId);
    const owner = { tenantId: other.tenant, userId, credentialId: sessionRef };
    const { accessToken } = await issueManagementBearer(owner);
    const pair = await other.enter((await other.customer()).login);
    const forged = await signToken(
      "management",
      { type: "management+jwt", subject: userId, claims: { tid: tenant, ses: sessionRef } },
      60,
    );
    const { body } = await verify([
      { apiKey },
      { apiKey: newApiKey() },
      { apiKey: "svk_typo" },
      { sessionId },
      { sessionId: newSessionId() },
      { token: accessToken },
      { token: forged },
      { token: pair.accessToken },
      { token: await shop.anonymous() },
      { token: "x.y.z" },
      { token: "" },
    ]);
    expect(body).toEqual(Array(11).fill(unknown));
  });

  test("a secret of one kind is not taken for another", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { apiKey } = await makeApiKey(tenant, userId);
    const { sessionId, sessionRef } = await makeSession(tenant, userId);
    const { body } = await verify([
      { sessionId: apiKey },
      { apiKey: sessionId },
      { token: apiKey },
      { token: sessionRef },
    ]);
    expect(body).toEqual(Array(4).fill(unknown));
  });

  test("a member from another tenant is judged by the state at home, and the answer is never reused", async () => {
    const home = await makeTenant();
    const person = await makeUser(home, { roleIds: ["portal.default"] });
    const member = { userId: person.userId, homeTenantId: home };
    await makeUser(tenant, { roleIds: ["portal.default"], row: member });
    const { apiKey } = await makeApiKey(tenant, person.userId);
    expect(await verdict({ apiKey })).toMatchObject({ code: "VALID", cacheFor: 0 });
    const admin = await makeUser(home, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(home, admin.userId);
    const body = { reason: "left" };
    const answer = await send(`POST /v1/user/${person.userId}/lock`, { headers, body });
    expect(answer.status, answer.text).toBe(200);
    expect((await verdict({ apiKey })).code).toBe("LOCKED");
  });

  test("both secrets of a rotated key are known, the previous one until its end", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, userId);
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    const path = `/v1/user/profile/api-keys/${apiKeyId}`;
    const rotated = await send(`POST ${path}/rotate`, { headers, body: { overlap: "PT1H" } });
    const both = [{ apiKey }, { apiKey: rotated.body.apiKey }];
    const { body } = await verify(both);
    expect(body).toMatchObject([
      { code: "VALID", credentialId: apiKeyId, expiresAt: rotated.body.previousValidTo },
      { code: "VALID", credentialId: apiKeyId, expiresAt: rotated.body.validTo },
    ]);
    await send(`POST ${path}/retire-previous`, { headers });
    expect((await verify(both)).body).toMatchObject([unknown, { code: "VALID" }]);
  });

  test("counts as a use of the key, from the address that was named", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    await verdict({ apiKey, address: "192.0.2.7" });
    const { body } = await send(`GET /v1/user/api-keys/${apiKeyId}`, { headers: manager });
    expect(body).toMatchObject({
      lastUsedIp: "192.0.2.7",
      lastUsedOperation: "POST /v1/access/verify",
    });
  });

  test("a key that does not work is not counted as used", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId, { suspendedAt: new Date() });
    await verdict({ apiKey });
    const { body } = await send(`GET /v1/user/api-keys/${apiKeyId}`, { headers: manager });
    expect(body.lastUsedAt).toBeNull();
  });

  test("a revoked key is not active in any answer after the revocation", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, userId);
    for (let round = 0; round < 20; round += 1) {
      const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
      expect((await verdict({ apiKey })).active).toBe(true);
      const racing = Array.from({ length: 8 }, () => verdict({ apiKey }));
      const revoked = await send(`DELETE /v1/user/profile/api-keys/${apiKeyId}`, { headers });
      expect(revoked.status).toBe(204);
      expect((await verdict({ apiKey })).code).toBe("REVOKED");
      await Promise.all(racing);
      expect((await verdict({ apiKey })).code).toBe("REVOKED");
    }
  });

  test("an Idempotency-Key replays no earlier answer, and none is kept", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, userId);
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    const again = { ...verifier, "Idempotency-Key": "same" };
    expect((await verdict({ apiKey }, again)).active).toBe(true);
    await send(`DELETE /v1/user/profile/api-keys/${apiKeyId}`, { headers });
    expect((await verdict({ apiKey }, again)).active).toBe(false);
    const kept = await db()
      .select({ tenantId: idempotentAnswers.tenantId })
      .from(idempotentAnswers)
      .where(eq(idempotentAnswers.tenantId, tenant));
    expect(kept).toEqual([]);
  });
});

describe("POST /v1/access/verify, errors", () => {
  test("400 for a credential of no kind or of two, for an unknown permission, and for an address that is none", async () => {
    const apiKey = newApiKey();
    const wrong = [
      {},
      { apiKey, token: "x" },
      { apiKey, permission: "world.manage" },
      { apiKey, address: "example.com" },
      { apiKey, secret: "x" },
    ];
    for (const credential of wrong)
      expect((await verify([credential])).status, JSON.stringify(credential)).toBe(400);
    expect((await verify([])).status).toBe(400);
  });

  test("400 repeats nothing of a credential that was sent", async () => {
    const apiKey = newApiKey();
    const { text } = await verify([{ apiKey, token: apiKey, [apiKey.slice(0, 20)]: apiKey }]);
    expect(text).not.toContain(apiKey);
  });

  test("401 without an API key: a session is not enough", async () => {
    expect((await verify([{ apiKey: newApiKey() }], manager)).status).toBe(401);
    expect((await verify([{ apiKey: newApiKey() }], { "X-Service-Tenant": tenant })).status).toBe(
      401,
    );
  });

  test("403 without credential.verify in the whole tenant", async () => {
    const low = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
    const atSite = await makeUser(tenant, { sites: { one: ["portal.configurations.mgmt"] } });
    for (const { userId } of [low, atSite]) {
      const { headers } = await makeApiKey(tenant, userId);
      const answer = await verify([{ apiKey: newApiKey() }], {
        ...headers,
        "X-Service-Site": "one",
      });
      expect(answer.status).toBe(403);
      expect(answer.body.reason).toBe("credential.verify");
    }
  });

  test("413 for more than 100 credentials, 415 for another media type", async () => {
    const apiKey = newApiKey();
    expect((await verify(Array(101).fill({ apiKey }))).status).toBe(413);
    expect((await verify(Array(100).fill({ apiKey }))).status).toBe(200);
    const raw = "credentials=x";
    const headers = { ...verifier, "Content-Type": "application/x-www-form-urlencoded" };
    expect((await send("POST /v1/access/verify", { headers, raw })).status).toBe(415);
  });

  test("429 once a key has verified its share of credentials; the tenant's other requests go on", async () => {
    const own = await verifierIn(tenant);
    process.env.RATE_LIMITS = "on";
    try {
      const credentials = Array(100).fill({ apiKey: "none" });
      let last = await verify(credentials, own);
      expect(last.headers.get("ratelimit-policy")).toContain('"verification"');
      for (let sent = 1; sent < 301 && last.status === 200; sent += 1)
        last = await verify(credentials, own);
      expect(last.status).toBe(429);
      expect(last.headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await send("GET /v1/user/list?limit=1", { headers: manager })).status).toBe(200);
    } finally {
      process.env.RATE_LIMITS = "off";
    }
  });
});
