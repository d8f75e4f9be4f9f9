import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { withAccessChange } from "@/lib/access/access-versions";
import { operations } from "@/lib/catalogue/operations";
import { sites } from "@/lib/database/schema/schema";
import { bearer, openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";

const send = testServer();
const page = "https://shop.example";
let shop: Shop;
let accessToken: string;

const allow = (tenantId: string, siteId: string, allowedOrigins: string[]) =>
  withAccessChange(tenantId, (tx) =>
    tx
      .update(sites)
      .set({ allowedOrigins })
      .where(and(eq(sites.tenantId, tenantId), eq(sites.siteId, siteId))),
  );

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  await allow(shop.tenant, "one", [page]);
  accessToken = (await shop.enter((await shop.customer()).login)).accessToken;
});

const readFrom = (origin: string | undefined, more: Record<string, string> = {}) =>
  send("GET /v1/customer/profile", {
    headers: {
      ...shop.headers,
      ...bearer(accessToken),
      ...(origin === undefined ? {} : { Origin: origin }),
      ...more,
    },
  });
const allowed = (headers: Headers) => headers.get("access-control-allow-origin");

describe("the request itself", () => {
  test("200: from a page of the site's list, which may read the headers too, but sends no cookies", async () => {
    const answer = await readFrom(page);
    expect([answer.status, allowed(answer.headers)]).toEqual([200, page]);
    const exposed = answer.headers.get("access-control-expose-headers") ?? "";
    for (const name of [
      "ETag",
      "Retry-After",
      "RateLimit",
      "RateLimit-Policy",
      "WWW-Authenticate",
      "X-Service-Request-Id",
    ])
      expect(exposed.split(", ")).toContain(name);
    expect(answer.headers.get("vary")).toContain("Origin");
    const known = { "If-None-Match": answer.headers.get("etag") ?? "" };
    const again = await readFrom(page, known);
    expect([again.status, again.headers.get("vary")]).toEqual([
      304,
      expect.stringContaining("Origin"),
    ]);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("200: without Origin, and from the service's own pages", async () => {
    const plain = await readFrom(undefined);
    expect([plain.status, allowed(plain.headers)]).toEqual([200, null]);
    expect((await readFrom(publicUrl())).status).toBe(200);
  });

  test.each([
    "https://evil.example",
    "https://shop.example.evil.example",
    "https://shop.example:8443",
    "http://shop.example",
    "null",
    "HTTPS://SHOP.EXAMPLE",
  ])("403: from %s, and the page cannot read it", async (origin) => {
    const answer = await readFrom(origin);
    expect([answer.status, answer.body.code, allowed(answer.headers)]).toEqual([
      403,
      "origin.not-allowed",
      null,
    ]);
  });

  test("403: another site of the tenant has its own list, and the handler does not run", async () => {
    const two = await openShop(send, { tenant: shop.tenant, site: "two" });
    const headers = { ...two.headers, ...bearer(await two.anonymous()), Origin: page };
    const answer = await send("POST /v1/customer/registration", {
      headers,
      body: { login: "from-elsewhere", password: "a fine secret" },
    });
    expect([answer.status, answer.body.code]).toEqual([403, "origin.not-allowed"]);
    expect((await two.login("from-elsewhere", { password: "a fine secret" })).status).toBe(401);
    const refresh = await send("POST /v1/customer/login/refresh-token", {
      headers: { ...two.headers, Origin: page },
      body: { refreshToken: "x" },
    });
    expect(refresh.body.code).toBe("origin.not-allowed");
  });

  test("errors can be read by the page: 400, 401, 404 of a site, 405, 406, 415", async () => {
    const headers = { ...shop.headers, Origin: page };
    const answers = await Promise.all([
      send("GET /v1/customer/profile", { headers: { Origin: page } }),
      send("GET /v1/customer/profile", { headers }),
      readFrom(page, { Accept: "text/html" }),
      send("PUT /v1/customer/profile", { headers }),
      send("POST /v1/customer/login/refresh-token", { headers, raw: "x" }),
      send("POST /v1/customer/login/refresh-token", { headers, body: { refreshToken: "x" } }),
      send("POST /v1/customer/login/anonymous-token", {
        headers: { ...headers, "X-Service-Site": "three" },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 406, 405, 415, 401, 400]);
    for (const { headers: sent } of answers) expect(allowed(sent)).toBe(page);
  });

  test("errors from the server can be read too: 404, 413, 414", async () => {
    const headers = { ...shop.headers, Origin: page };
    const answers = await Promise.all([
      send("GET /v1/customer/nothing", { headers }),
      send("POST /v1/customer/login/refresh-token", {
        headers,
        raw: "x".repeat(2 * 1024 * 1024 + 1),
      }),
      send(`GET /v1/customer/profile?${"x".repeat(8 * 1024)}`, { headers }),
    ]);
    expect(answers.map(({ status, headers: sent }) => [status, allowed(sent)])).toEqual(
      [404, 413, 414].map((status) => [status, page]),
    );
    expect(
      allowed((await send("GET /v1/customers/nothing/at/all", { headers })).headers),
    ).toBeNull();
  });

  test("an origin is rejected once it is removed from the list", async () => {
    const own = await openShop(send);
    await allow(own.tenant, "one", [page]);
    const headers = { ...own.headers, Origin: page };
    expect((await send("POST /v1/customer/login/anonymous-token", { headers })).status).toBe(200);
    await allow(own.tenant, "one", []);
    expect((await send("POST /v1/customer/login/anonymous-token", { headers })).status).toBe(403);
  });
});

describe("the preflight", () => {
  const asking = {
    Origin: "https://anybody.example",
    "Access-Control-Request-Method": "PATCH",
    "Access-Control-Request-Headers": "authorization,x-service-other",
  };

  test("204: every consumer path echoes the origin, with methods and headers, never credentials", async () => {
    const paths = new Set(
      operations
        .filter(({ plane }) => plane === "consumer")
        .map(({ operation }) => operation.split(" ")[1]),
    );
    expect(paths.size).toBeGreaterThan(7);
    for (const path of paths) {
      const { status, headers } = await send(`OPTIONS ${path}`, { headers: asking });
      expect([status, allowed(headers)], path).toEqual([204, "https://anybody.example"]);
      expect(headers.get("access-control-allow-methods")).toBe(headers.get("allow"));
      const names = headers.get("access-control-allow-headers")?.split(", ");
      for (const name of [
        "authorization",
        "content-type",
        "if-match",
        "idempotency-key",
        "x-service-tenant",
        "x-service-site",
        "x-service-other",
      ])
        expect(names).toContain(name);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test("every page may read the documents, and sends no cookies for them", async () => {
    for (const path of ["/openapi.json", "/.well-known/jwks.json"]) {
      const { headers } = await send(`GET ${path}`, { headers: asking });
      expect(headers.get("access-control-allow-origin"), path).toBe("*");
      expect(headers.get("access-control-allow-credentials"), path).toBeNull();
    }
  });

  test("management paths have no headers for other origins", async () => {
    for (const path of [
      "/v1/user/list",
      "/v1/customers",
      "/v1/customers/cust_1/lock",
      "/pim/preview/home/configuration",
    ]) {
      for (const method of ["OPTIONS", "GET"]) {
        const { headers } = await send(`${method} ${path}`, {
          headers: { ...asking, ...shop.headers },
        });
        expect(
          [...headers.keys()].filter((name) => name.startsWith("access-control-")),
          `${method} ${path}`,
        ).toEqual([]);
      }
    }
  });
});
