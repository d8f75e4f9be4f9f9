import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { build } from "esbuild";
import { openForeignPage } from "./support/foreign-page";
import { credentialsOf, expect, test } from "./support/portal";

interface ShopPage {
  base: string;
  tenant: string;
  site: string;
  login: string;
}

/** Runs in the page: the calls of a shop's own script, from an anonymous token to a changed profile. */
async function shop({ base, tenant, site, login }: ShopPage) {
  interface Sent {
    token?: string;
    body?: unknown;
    etag?: string;
  }
  const call = async (operation: string, { token, body, etag }: Sent = {}) => {
    const [method = "GET", path = "/"] = operation.split(" ");
    const headers: Record<string, string> = { "X-Service-Tenant": tenant, "X-Service-Site": site };
    if (etag) headers["If-Match"] = etag;
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body) headers["Content-Type"] = "application/json";
    const answer = await fetch(base + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      etag: answer.headers.get("etag"),
      id: answer.headers.get("x-service-request-id"),
      body: text ? JSON.parse(text) : undefined,
    };
  };
  const credentials = { login, password: "a longer secret" };
  const anonymous = (await call("POST /v1/customer/login/anonymous-token")).body.accessToken;
  const registered = await call("POST /v1/customer/registration", {
    token: anonymous,
    body: credentials,
  });
  const signedIn = await call("POST /v1/customer/login/token", {
    token: anonymous,
    body: credentials,
  });
  const profile = await call("GET /v1/customer/profile", { token: signedIn.body.accessToken });
  const refreshed = await call("POST /v1/customer/login/refresh-token", {
    body: { refreshToken: signedIn.body.refreshToken },
  });
  const rename = (first: string) =>
    call("PATCH /v1/customer/profile", {
      token: refreshed.body.accessToken,
      body: { name: { first } },
      etag: profile.etag ?? "",
    });
  const changed = await rename("Ann");
  const late = await rename("Bea");
  const statuses = [registered, signedIn, profile, refreshed, changed, late].map(
    ({ status }) => status,
  );
  return {
    statuses,
    name: changed.body.name,
    code: late.body.code,
    etag: profile.etag,
    requestId: profile.id,
  };
}

/** The published client as one module for browsers. */
async function bundleClient(): Promise<string> {
  execFileSync(process.execPath, [join("sdk", "build.mjs"), "--generate"]);
  const { outputFiles } = await build({
    entryPoints: [join(process.cwd(), "sdk", "src", "index.ts")],
    bundle: true,
    format: "esm",
    platform: "neutral",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** Runs in the page: the same calls through the client. */
async function shopByClient({ base, tenant, site, login }: ShopPage) {
  const module = "/client.js";
  const { createClient, isGatehouseError }: typeof import("../sdk/src/index.js") = await import(
    module
  );
  const password = "a longer secret";
  const visitor = createClient({ url: base, tenant, site });
  const { accessToken: token } = await visitor.shopper.createAnonymousToken();
  const known = visitor.with({ token });
  await known.shopper.register({ body: { login, password } });
  const customer = await visitor.signInCustomer(login, password);
  const { etag } = await customer.exchange("GET /v1/customer/profile");
  const rename = (first: string) =>
    customer.call("PATCH /v1/customer/profile", { body: { name: { first } } }, { ifMatch: etag });
  const { name } = await rename("Ann");
  const late = await rename("Bea").catch((error: unknown) => error);
  return { name, code: isGatehouseError(late) ? late.code : undefined };
}

interface Allowance {
  base: string;
  site: string;
  credentials: ReturnType<typeof credentialsOf>;
}

/** Sets the allowed origins of the site, as an administrator would. */
async function allowOrigins(
  page: Page,
  { base, site, credentials }: Allowance,
  allowedOrigins: string[],
) {
  const { tenant } = credentials;
  const signedIn = await page.request.post(`${base}/v1/user/session-login`, {
    headers: { "X-Service-Tenant": tenant },
    data: credentials,
  });
  const { sessionId } = await signedIn.json();
  const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const answer = await page.request.patch(`${base}/v1/tenant/sites/${site}`, {
    headers,
    data: { allowedOrigins },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

test.describe("a page on an origin of the site's list", () => {
  // The browser logs the 412 that the calls provoke.
  test.use({ tolerated: [/status of 412/] });

  test("registers, signs in, reads, refreshes and changes the profile, by hand and by the client", async ({
    page,
    world,
    baseURL,
  }) => {
    const foreign = await openForeignPage(await bundleClient());
    try {
      const [tenant, site] = [world.tenants.A, world.sites.A2 ?? ""];
      const credentials = credentialsOf(world, "adm");
      await allowOrigins(page, { base: baseURL ?? "", site, credentials }, [foreign.origin]);
      await page.goto(foreign.origin);
      const outcome = await page.evaluate(shop, {
        base: baseURL ?? "",
        tenant,
        site,
        login: `page-${Date.now()}`,
      });
      expect(outcome).toEqual({
        statuses: [201, 200, 200, 200, 200, 412],
        name: { first: "Ann" },
        code: "precondition.failed",
        etag: expect.stringMatching(/^"/),
        requestId: expect.stringMatching(/./),
      });
      const base = baseURL ?? "";
      const login = `client-${Date.now()}`;
      expect(await page.evaluate(shopByClient, { base, tenant, site, login })).toEqual({
        name: { first: "Ann" },
        code: "precondition.failed",
      });
    } finally {
      await foreign.close();
    }
  });
});

test.describe("responses that the browser blocks", () => {
  test.use({ tolerated: [/CORS policy|Failed to load resource/] });

  test("an origin that is not on the site's list: all responses", async ({
    page,
    world,
    baseURL,
  }) => {
    const foreign = await openForeignPage();
    try {
      await page.goto(foreign.origin);
      const asked = {
        base: baseURL ?? "",
        tenant: world.tenants.B,
        site: world.sites.B1 ?? "",
        login: `page-${Date.now()}`,
      };
      await expect(page.evaluate(shop, asked)).rejects.toThrow(/Failed to fetch/);
    } finally {
      await foreign.close();
    }
  });

  test("any origin: all responses of the management API", async ({ page, world, baseURL }) => {
    const foreign = await openForeignPage();
    try {
      await page.goto(foreign.origin);
      const read = (url: string) =>
        fetch(url, { headers: { "X-Service-Tenant": "fix-a" } }).then((answer) => answer.status);
      await expect(page.evaluate(read, `${baseURL}/v1/user/list`)).rejects.toThrow(
        /Failed to fetch/,
      );
      expect(world.tenants.A).toBe("fix-a");
    } finally {
      await foreign.close();
    }
  });
});
