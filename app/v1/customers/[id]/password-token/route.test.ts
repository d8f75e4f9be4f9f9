import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { apiKeys, customerPasswordTokens, users } from "@/lib/database/schema/schema";
import { bearer, openShop, password, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const fresh = "quite another secret";
let shop: Shop;
let admin: Record<string, string>;
let issuer: { userId: string; headers: Record<string, string> };
let login: string;
let id: string;

async function staff(roleIds: string[]) {
  const { userId } = await makeUser(shop.tenant, { roleIds });
  const { headers } = await makeSession(shop.tenant, userId);
  return { userId, headers: { ...headers, "X-Service-Site": "one" } };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  admin = (await staff(["tenant.admin"])).headers;
});
beforeEach(async () => {
  issuer = await staff(["portal.customers.mgmt"]);
  ({ login, id } = await shop.customer());
});

const create = (headers = issuer.headers) =>
  send(`POST /v1/customers/${id}/password-token`, { headers });
const allowKeys = (isAllowed: boolean) =>
  send("PUT /v1/tenant/security-policy", {
    headers: admin,
    body: { passwordTokensByApiKey: isAllowed },
  });

async function token(headers = issuer.headers): Promise<string> {
  const answer = await create(headers);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.token;
}

async function confirm(given: string) {
  return send("POST /v1/customer/password-resets/confirm", {
    headers: { ...shop.headers, ...bearer(await shop.anonymous()) },
    body: { token: given, password: fresh },
  });
}

async function expectVoid(given: string) {
  const answer = await confirm(given);
  expect([answer.status, answer.body.code], answer.text).toEqual([401, "link.void"]);
  expect(answer.headers.get("www-authenticate")).toContain("Bearer");
  expect((await shop.login(login, { password: fresh })).status).not.toBe(200);
}

async function keyOfIssuer(row: Partial<typeof apiKeys.$inferInsert> = {}) {
  const key = await makeApiKey(shop.tenant, issuer.userId, row);
  return { ...key, headers: { ...key.headers, "X-Service-Site": "one" } };
}

test("204: redeemed once while its issuer has the permission", async () => {
  const given = await token();
  expect((await confirm(given)).status).toBe(204);
  expect((await shop.login(login, { password: fresh })).status).toBe(200);
  expect((await confirm(given)).status).toBe(401);
});

describe("401 link.void after a change of the customer", () => {
  const asCustomer = async () => ({
    ...shop.headers,
    ...bearer((await shop.enter(login)).accessToken),
  });

  test("of the password, by the customer", async () => {
    const given = await token();
    const body = { current: password, password: "my own new secret" };
    const changed = await send("POST /v1/customer/password", { headers: await asCustomer(), body });
    expect(changed.status, changed.text).toBe(204);
    await expectVoid(given);
    expect((await shop.login(login, { password: "my own new secret" })).status).toBe(200);
  });

  test("of the e-mail addresses, by the customer", async () => {
    const given = await token();
    const body = { emailAddresses: { addresses: [{ address: "new@example.com" }] } };
    expect(
      (await send("PATCH /v1/customer/profile", { headers: await asCustomer(), body })).status,
    ).toBe(200);
    await expectVoid(given);
  });

  test("of the lock, also after it was removed again", async () => {
    const given = await token();
    await send(`POST /v1/customers/${id}/lock`, { headers: admin, body: { reason: "fraud" } });
    await expectVoid(given);
    await send(`POST /v1/customers/${id}/unlock`, { headers: admin });
    await expectVoid(given);
  });

  test("but not after a change of anything else", async () => {
    const given = await token();
    await send("PATCH /v1/customer/profile", {
      headers: await asCustomer(),
      body: { gender: "x" },
    });
    expect((await confirm(given)).status).toBe(204);
  });
});

describe("401 link.void when the issuer could not create it any more", () => {
  const self = () => and(eq(users.tenantId, shop.tenant), eq(users.userId, issuer.userId));

  test("without the role", async () => {
    const given = await token();
    await db().update(users).set({ grants: "" }).where(self());
    await expectVoid(given);
  });

  test.each([
    ["locked", { isLocked: true, lockReason: "x" }],
    ["deactivated", { state: "deactivated" }],
  ] as const)("%s", async (_, row) => {
    const given = await token();
    await db().update(users).set(row).where(self());
    await expectVoid(given);
  });

  test("with its sessions ended", async () => {
    const given = await token();
    const ended = await send(`DELETE /v1/user/${issuer.userId}/sessions`, { headers: admin });
    expect(ended.status, ended.text).toBeLessThan(300);
    await expectVoid(given);
  });

  test.each([
    ["revoked", { revokedAt: new Date() }],
    ["suspended", { suspendedAt: new Date() }],
    ["expired", { validTo: new Date(0) }],
    ["restricted to another permission", { permissions: ["customer.read" as const] }],
    ["owned by somebody else", {}],
  ])("an API key that is %s", async (state, row) => {
    await allowKeys(true);
    const { apiKeyId, headers } = await keyOfIssuer();
    const given = await token(headers);
    const heir =
      state === "owned by somebody else" ? await staff(["portal.customers.mgmt"]) : issuer;
    const key = and(eq(apiKeys.tenantId, shop.tenant), eq(apiKeys.apiKeyId, apiKeyId));
    await db()
      .update(apiKeys)
      .set({ ...row, userId: heir.userId })
      .where(key);
    await expectVoid(given);
  });

  test("but not an API key of a user whose sessions have ended", async () => {
    await allowKeys(true);
    const given = await token((await keyOfIssuer()).headers);
    await send(`DELETE /v1/user/${issuer.userId}/sessions`, { headers: admin });
    expect((await confirm(given)).status).toBe(204);
  });

  test("an API key, once the policy does not allow keys any more", async () => {
    await allowKeys(true);
    const given = await token((await keyOfIssuer()).headers);
    await allowKeys(false);
    await expectVoid(given);
  });
});

describe("API keys", () => {
  test("403 by default, and the reason names who can allow it", async () => {
    await allowKeys(false);
    const answer = await create((await keyOfIssuer()).headers);
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "customer.password-token-session-only",
      "tenant.manage",
    ]);
  });

  test("201 where the security policy allows it; the key still needs customer.manage", async () => {
    const policy = await allowKeys(true);
    expect(policy.body.passwordTokensByApiKey).toBe(true);
    expect((await create((await keyOfIssuer()).headers)).status).toBe(201);
    const narrow = await keyOfIssuer({ permissions: ["customer.read"] });
    expect((await create(narrow.headers)).body).toMatchObject({
      code: "auth.api-key-restricted",
      reason: "customer.manage",
    });
  });
});

test("a change with the old password is rejected after a reset was confirmed concurrently", async () => {
  for (let round = 0; round < 5; round += 1) {
    ({ login, id } = await shop.customer());
    const headers = { ...shop.headers, ...bearer((await shop.enter(login)).accessToken) };
    const given = await token();
    const thief = { current: password, password: "the secret of a thief" };
    const [changed, reset] = await Promise.all([
      send("POST /v1/customer/password", { headers, body: thief }),
      confirm(given),
    ]);
    const stands = (await shop.login(login, { password: fresh })).status === 200;
    expect([changed.status, reset.status].filter((status) => status === 204)).toHaveLength(1);
    expect(stands).toBe(reset.status === 204);
  }
});

test("tokens stored before tokens had an issuer stay valid until they expire", async () => {
  const given = await token();
  const ofTenant = eq(customerPasswordTokens.tenantId, shop.tenant);
  await db().update(customerPasswordTokens).set({ issuerUserId: null }).where(ofTenant);
  expect((await confirm(given)).status).toBe(204);
});
