import type { Page } from "@playwright/test";
import { openForeignPage } from "./support/foreign-page";
import { credentialsOf, expect, test } from "./support/portal";

interface Asked {
  base: string;
  tenant: string;
  site: string;
  login: string;
}

/** Runs in the page: what a shop's own script does, from nobody to a changed profile. */
async function shop({ base, tenant, site, login }: Asked) {
  const call = async (
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    more: Record<string, string> = {},
  ) => {
    const headers: Record<string, string> = {
      "X-Service-Tenant": tenant,
      "X-Service-Site": site,
      ...more,
    };
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
  const anonymous = (await call("POST", "/v1/customer/login/anonymous-token")).body.accessToken;
  const registered = await call("POST", "/v1/customer/registration", anonymous, credentials);
  const signedIn = await call("POST", "/v1/customer/login/token", anonymous, credentials);
  const profile = await call("GET", "/v1/customer/profile", signedIn.body.accessToken);
  const refreshed = await call("POST", "/v1/customer/login/refresh-token", undefined, {
    refreshToken: signedIn.body.refreshToken,
  });
  const match = { "If-Match": profile.etag ?? "" };
  const changed = await call(
    "PATCH",
    "/v1/customer/profile",
    refreshed.body.accessToken,
    { name: { first: "Ann" } },
    match,
  );
  const late = await call(
    "PATCH",
    "/v1/customer/profile",
    refreshed.body.accessToken,
    { name: { first: "Bea" } },
    match,
  );
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

/** Adds the origin to the site's list, as an administrator would; answers what takes it away again. */
async function allow(
  page: Page,
  base: string,
  credentials: ReturnType<typeof credentialsOf>,
  site: string,
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
  // The browser reports the 412 that the journey provokes.
  test.use({ tolerated: [/status of 412/] });

  test("registers, signs in, reads, refreshes and changes the profile", async ({
    page,
    world,
    baseURL,
  }) => {
    const foreign = await openForeignPage();
    try {
      const [tenant, site] = [world.tenants.A, world.sites.A2 ?? ""];
      await allow(page, baseURL ?? "", credentialsOf(world, "adm"), site, [foreign.origin]);
      await page.goto(foreign.origin);
      const told = await page.evaluate(shop, {
        base: baseURL ?? "",
        tenant,
        site,
        login: `page-${Date.now()}`,
      });
      expect(told).toEqual({
        statuses: [201, 200, 200, 200, 200, 412],
        name: { first: "Ann" },
        code: "precondition.failed",
        etag: expect.stringMatching(/^"/),
        requestId: expect.stringMatching(/./),
      });
    } finally {
      await foreign.close();
    }
  });
});

test.describe("what the browser keeps from a page", () => {
  test.use({ tolerated: [/CORS policy|Failed to load resource/] });

  test("of an origin that is not on the site's list: every answer", async ({
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

  test("of any origin: every answer of the management interface", async ({
    page,
    world,
    baseURL,
  }) => {
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
