import { beforeAll, describe, expect, test } from "vitest";
import { newApiKey } from "@/lib/access/secrets";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let verifier: Record<string, string>;

beforeAll(async () => {
  shop = await openShop(send);
  const { userId } = await makeUser(shop.tenant, { roleIds: ["portal.configurations.mgmt"] });
  verifier = (await makeApiKey(shop.tenant, userId)).headers;
});

const form = "application/x-www-form-urlencoded";
const introspect = (raw: string | Uint8Array<ArrayBuffer>, type = form) =>
  send("POST /v1/access/introspect", { headers: { ...verifier, "Content-Type": type }, raw });

describe("POST /v1/access/introspect", () => {
  test("200 describes an API key as RFC 7662 does", async () => {
    const { userId, login } = await makeUser(shop.tenant, { roleIds: ["portal.order.mgmt"] });
    const { apiKey } = await makeApiKey(shop.tenant, userId);
    const { status, body } = await introspect(`token=${apiKey}&token_type_hint=access_token`);
    expect(status).toBe(200);
    expect(body).toEqual({
      active: true,
      scope: "order.manage",
      username: login,
      token_type: "ApiKey",
      exp: expect.any(Number),
      sub: userId,
      iss: expect.stringMatching(/^http/),
      kind: "apiKey",
      tenant: shop.tenant,
    });
    expect(body.exp * 1000).toBeGreaterThan(Date.now());
  });

  test("200 without a site returns only scopes of the whole tenant; with a site also the scopes there, marked with the site", async () => {
    const { userId } = await makeUser(shop.tenant, {
      roleIds: ["portal.analytics.mgmt"],
      sites: { one: ["portal.order.mgmt"] },
    });
    const { sessionId, headers } = await makeSession(shop.tenant, userId, { siteId: "one" });
    const { accessToken } = (await send("POST /v1/user/portal-token", { headers })).body;
    const ofTenant = "api-metric.read api-metric.export";
    for (const token of [sessionId, accessToken]) {
      expect((await introspect(`token=${token}`)).body.scope).toBe(ofTenant);
      const atSite = (await introspect(`token=${token}&site=one`)).body;
      expect(atSite.scope).toBe(`${ofTenant} order.manage@one`);
      expect((await introspect(`token=${token}&site=two`)).body.scope).toBe(ofTenant);
    }
    expect((await introspect(`token=${sessionId}&site=nowhere`)).body).toEqual({ active: false });
  });

  test("200 describes sessions and customers' tokens", async () => {
    const { userId } = await makeUser(shop.tenant, { roleIds: ["portal.default"] });
    const { sessionId } = await makeSession(shop.tenant, userId);
    expect((await introspect(`token=${sessionId}`)).body.token_type).toBe("Session");
    const customer = await shop.customer();
    const { accessToken } = await shop.enter(customer.login);
    const told = (await introspect(`token=${accessToken}`)).body;
    expect(told).toMatchObject({ active: true, kind: "customer", sub: customer.id });
  });

  test("200 returns nothing but active=false for a suspended, foreign or unknown credential", async () => {
    const { userId } = await makeUser(shop.tenant, { roleIds: ["tenant.admin"] });
    const suspended = await makeApiKey(shop.tenant, userId, { suspendedAt: new Date() });
    const other = await makeTenant();
    const foreign = await makeApiKey(other, (await makeUser(other)).userId);
    for (const token of [suspended.apiKey, foreign.apiKey, newApiKey(), "x", "%2B", ""])
      expect((await introspect(`token=${token}`)).body).toEqual({ active: false });
  });

  test("400 for an invalid form, a repeated or an unknown field, and without a token", async () => {
    const broken = [
      "token",
      "token=%zz",
      "token=%ff",
      "token=a&token=b",
      "=a",
      "token=a&&",
      "",
      "scope=a",
    ];
    for (const raw of broken) expect((await introspect(raw)).status, raw).toBe(400);
    expect((await introspect(new Uint8Array([0x74, 0x3d, 0xff]))).body.code).toBe(
      "request.invalid-form",
    );
    expect((await introspect("token=a&more=b")).body.reason).toBe("/more");
    expect((await introspect("token=a&__proto__=b")).status).toBe(400);
  });

  test("413 for a large form, 415 for JSON, compressed and other charsets", async () => {
    expect((await introspect(`token=${"a".repeat(17_000)}`)).status).toBe(413);
    expect((await introspect("{}", "application/json")).status).toBe(415);
    expect((await introspect("token=a", `${form}; charset=iso-8859-1`)).status).toBe(415);
    expect((await introspect("token=a", `${form}; charset=UTF-8`)).status).toBe(200);
    const headers = { ...verifier, "Content-Type": form, "Content-Encoding": "gzip" };
    expect((await send("POST /v1/access/introspect", { headers, raw: "token=a" })).status).toBe(
      415,
    );
  });
});

test("GET /.well-known/oauth-authorization-server, 200: the addresses of keys, introspection and verification", async () => {
  const { status, body, headers } = await send("GET /.well-known/oauth-authorization-server");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json");
  const { issuer } = body;
  expect(body).toMatchObject({
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    introspection_endpoint: `${issuer}/v1/access/introspect`,
    response_types_supported: [],
  });
});
