import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import {
  auditEvents,
  customerActivity,
  customerFamilies,
  customers,
} from "@/lib/database/schema/schema";
import { flushFailedShoppers } from "@/lib/features/customers/activity";
import {
  bearer,
  claimsOf,
  openShop,
  password,
  type Shop,
} from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});

describe("200", () => {
  test("the response has only the two tokens, and the access token can read the profile", async () => {
    const { login, id } = await shop.customer();
    const answer = await shop.login(login);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(["accessToken", "refreshToken"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const profile = await shop.profile(answer.body.accessToken);
    expect([profile.status, profile.body.id, profile.body.login]).toEqual([200, id, login]);
  });

  test("the access token has issuer, audience, customer, tenant, site and family, and keeps the anonymous id", async () => {
    const { login, id } = await shop.customer();
    const anonymous = await shop.anonymous();
    const { body } = await shop.login(login, { token: anonymous });
    const claims = claimsOf(body.accessToken);
    expect(claims).toMatchObject({
      aud: "consumer",
      sub: id,
      tid: shop.tenant,
      sid: "one",
      anon: claimsOf(anonymous).sub,
    });
    expect(claims.iss).toMatch(/^http/);
    expect(claims.exp - claims.iat).toBe(900);
    expect(claims.fam).toMatch(/^fam_/);
    expect(claims.jti).toMatch(/^tok_/);
    const refreshed = await shop.refresh(body.refreshToken);
    expect(claimsOf(refreshed.body.accessToken)).toMatchObject({
      anon: claims.anon,
      fam: claims.fam,
    });
  });

  test("a login matches in any case and with surrounding white space", async () => {
    const { login } = await shop.customer();
    expect((await shop.login(` ${login.toUpperCase()} `)).status).toBe(200);
  });

  test("neither token nor password is stored", async () => {
    const own = await openShop(send);
    const { login } = await own.customer();
    const { accessToken, refreshToken } = await own.enter(login);
    await own.login(login, { password: "typed in the wrong place" });
    await flushFailedShoppers();
    const rows = await Promise.all([
      db().select().from(customers).where(eq(customers.tenantId, own.tenant)),
      db().select().from(customerFamilies).where(eq(customerFamilies.tenantId, own.tenant)),
      db().select().from(customerActivity).where(eq(customerActivity.tenantId, own.tenant)),
      db().select().from(auditEvents).where(eq(auditEvents.tenantId, own.tenant)),
    ]);
    const stored = JSON.stringify(rows, (_, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
    );
    const proof = refreshToken.split(".")[2] ?? "";
    for (const secret of [
      accessToken,
      refreshToken,
      proof,
      Buffer.from(proof, "base64url").toString("latin1"),
      password,
      "typed in the wrong place",
    ])
      expect(stored).not.toContain(secret);
    expect(rows[2].map((row) => row.action).sort()).toEqual(["login-failed", "signed-in"]);
  });
});

describe("400", () => {
  test("a session together with the token is one credential too many", async () => {
    const { userId } = await makeUser(shop.tenant, { roleIds: ["portal.default"] });
    const { headers } = await makeSession(shop.tenant, userId);
    const answer = await send("POST /v1/customer/login/token", {
      headers: { ...shop.headers, ...headers, ...bearer(await shop.anonymous()) },
      body: { login: "a", password },
    });
    expect([answer.status, answer.body.code]).toEqual([400, "auth.ambiguous-credentials"]);
  });

  test("the token is checked before the body is parsed", async () => {
    const answer = await send("POST /v1/customer/login/token", {
      headers: { ...shop.headers, ...bearer("nothing") },
      raw: "{",
    });
    expect(answer.status).toBe(401);
  });
});

describe("401", () => {
  test("unknown login, wrong password and customer of another site get the same response", async () => {
    const { login } = await shop.customer();
    const { login: elsewhere } = await shop.customer(["two"]);
    const answers = [
      await shop.login("nobody"),
      await shop.login(login, { password: "not the secret" }),
      await shop.login(elsewhere),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([401, answers[0]?.body]);
      expect(headers.get("www-authenticate")).toContain("Bearer");
    }
    expect(answers[0]?.body.code).toBe("auth.login-failed");
  });

  test("a customer of another tenant is unknown", async () => {
    const other = await openShop(send);
    const { login } = await other.customer();
    expect((await shop.login(login)).status).toBe(401);
    expect((await other.login(login)).status).toBe(200);
  });

  test.each(["", "Basic YTpi"])(
    "without an anonymous token: Authorization %j",
    async (authorization) => {
      const answer = await send("POST /v1/customer/login/token", {
        headers: { ...shop.headers, ...(authorization ? { Authorization: authorization } : {}) },
        body: { login: "a", password },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    },
  );

  test("a signed-in customer's token and a management bearer are of the wrong kind", async () => {
    const { login } = await shop.customer();
    const { accessToken } = await shop.enter(login);
    const { userId } = await makeUser(shop.tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(shop.tenant, userId);
    const management = await send("POST /v1/user/portal-token", { headers });
    for (const token of [accessToken, management.body.accessToken]) {
      const answer = await shop.login(login, { token });
      expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
        401,
        "auth.token-wrong-kind",
        "Bearer",
      ]);
    }
  });

  test("another site's and another tenant's anonymous token", async () => {
    const { login } = await shop.customer();
    const twoOfThis = await openShop(send, { tenant: shop.tenant, site: "two" });
    const wrongSite = await shop.login(login, { token: await twoOfThis.anonymous() });
    expect([wrongSite.status, wrongSite.body.code, wrongSite.body.reason]).toEqual([
      401,
      "auth.token-wrong-site",
      "Bearer",
    ]);
    const other = await openShop(send);
    const wrongTenant = await shop.login(login, { token: await other.anonymous() });
    expect([wrongTenant.status, wrongTenant.body.code]).toEqual([401, "auth.credentials-invalid"]);
  });

  test("an anonymous token is accepted only by operations for anonymous shoppers", async () => {
    const answer = await shop.profile(await shop.anonymous());
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      401,
      "auth.token-wrong-kind",
      "Bearer",
    ]);
  });
});

describe("403", () => {
  test("the error for an expired anonymous token says when it expired, and that a new one is needed", async () => {
    process.env.ANONYMOUS_TOKEN_TTL = "PT0S";
    const token = await shop.anonymous().finally(() => delete process.env.ANONYMOUS_TOKEN_TTL);
    const answer = await shop.login("a", { token });
    expect([answer.status, answer.body.code]).toEqual([403, "auth.credentials-expired"]);
    expect(Date.parse(answer.body.reason)).toBeLessThanOrEqual(Date.now());
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test("a locked customer learns of the lock only with the right password", async () => {
    const { login, id } = await shop.customer();
    await db()
      .update(customers)
      .set({ lockedAt: new Date() })
      .where(and(eq(customers.tenantId, shop.tenant), eq(customers.customerId, id)));
    const right = await shop.login(login);
    expect([right.status, right.body.code]).toEqual([403, "customer.locked"]);
    expect((await shop.login(login, { password: "not the secret" })).status).toBe(401);
  });
});

describe("429", () => {
  test("failures delay a login, whether it exists or not, but not a user with the same name", async () => {
    stopClock();
    const own = await openShop(send);
    const { login } = await own.customer();
    await makeUser(own.tenant, {
      login,
      password: "a management password",
      roleIds: ["portal.default"],
    });
    for (const name of [login, "nobody"]) {
      for (let n = 0; n < 6; n += 1) await own.login(name, { password: "wrong wrong" });
      const answer = await own.login(name);
      expect([answer.status, answer.body.code]).toEqual([429, "auth.too-many-attempts"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const body = { login, tenant: own.tenant, password: "a management password" };
    expect(
      (
        await send("POST /v1/user/session-login", {
          headers: { "X-Service-Tenant": own.tenant },
          body,
        })
      ).status,
    ).toBe(200);
  });
});
