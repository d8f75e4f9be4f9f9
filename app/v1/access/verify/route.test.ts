import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { newApiKey, newSessionId } from "@/lib/access/secrets";
import { signToken } from "@/lib/access/signed-tokens";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { makeVerifier, verifying } from "@/lib/features/verification/testing/verifying";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const { verify, verdict } = verifying(send, () => verifier);
let shop: Shop;
let tenant: string;
let verifier: Headers;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  tenant = shop.tenant;
  verifier = await makeVerifier(tenant);
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

const unknown = { active: false, code: "UNKNOWN", cacheFor: 0 };

describe("POST /v1/access/verify, 200", () => {
  test("returns an API key's owner, its permissions and how long the response may be reused", async () => {
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

  test("without a site returns only what applies to the whole tenant, whatever site the session was opened with", async () => {
    const { userId } = await makeUser(tenant, { sites: { one: ["portal.order.mgmt"] } });
    const { sessionId } = await makeSession(tenant, userId, { siteId: "one" });
    const needed = await verdict({ sessionId, permission: "order.manage" });
    expect(needed).toMatchObject({ active: false, code: "INSUFFICIENT_PERMISSION" });
    expect(await verdict({ sessionId })).toMatchObject({ code: "VALID", permissions: [] });
    const there = { sessionId, permission: "order.manage", site: "one" };
    expect(await verdict(there)).toMatchObject({ code: "VALID", permissions: ["order.manage"] });
  });

  test("accepts sessions, management bearers and customers' access tokens", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const authenticatedAt = new Date(Date.now() - 60_000);
    const proven = { authenticatedAt, authenticatedBy: "password totp" };
    const { sessionId, sessionRef } = await makeSession(tenant, userId, proven);
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
    const said = {
      authenticatedAt: authenticatedAt.toISOString(),
      authenticatedBy: ["password", "totp"],
    };
    expect(body).toMatchObject([said, said, {}]);
    expect(body[2]).not.toHaveProperty("authenticatedBy");
    const inMs = Date.parse(body[1].expiresAt) - Date.now();
    expect(inMs).toBeLessThanOrEqual(15 * 60_000);
  });

  test("distinguishes expired, suspended, revoked, retired and locked credentials", async () => {
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

  test("rejects a permission that the user lacks, and a site where the user has none", async () => {
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

  test("a restricted key has no permissions beyond its restriction", async () => {
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

  test("no permissions for the session of a one-time password, or for a user without a role", async () => {
    const fresh = await makeUser(tenant, {
      roleIds: ["portal.default"],
      row: { mustChangePassword: true },
    });
    const { sessionId } = await makeSession(tenant, fresh.userId);
    expect((await verdict({ sessionId })).code).toBe("INSUFFICIENT_PERMISSION");
    const { apiKey } = await makeApiKey(tenant, (await makeUser(tenant)).userId);
    expect((await verdict({ apiKey })).code).toBe("INSUFFICIENT_PERMISSION");
  });

  test("another tenant's credentials are reported as unknown, like random text", async () => {
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

  test("a secret of one kind is not accepted as another", async () => {
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

  test("a member from another tenant is checked by the state in the home tenant, and the response is never reused", async () => {
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

  test("both secrets of a rotated key are accepted, the previous one until it expires", async () => {
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
});
