import type { Page } from "@playwright/test";
import {
  basicHeader,
  type FrontProxy,
  hasNginx,
  proxies,
  proxyPassword,
} from "@/lib/server/testing/proxies";
import { storageStateOf } from "./support/http-sign-in";
import { credentialsOf, expect, fillSignIn, test } from "./support/portal";
import { createPreview, storedText } from "./support/previews";
import { createServiceUser, fetchAdmitted } from "./support/service-calls";

/** The portal and the API behind proxies that require a password, forward it, compress, and keep connections open. */

const accepts = [
  undefined,
  "*/*",
  "",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "application/json",
  "application/json;q=0.1, text/html",
  "application/problem+json",
  "application/*",
  "text/html;q=0",
  "image/avif,image/webp,image/png",
  "nonsense",
  ", ,;q",
];

test("the proxies available on this machine", () => {
  const note = hasNginx() ? "nginx and our own" : "no nginx is installed: our own alone";
  test.info().annotations.push({ type: "proxies", description: note });
  expect(Object.keys(proxies)).toContain("own");
});

for (const [name, start] of Object.entries(proxies))
  test.describe(`behind ${name}`, () => {
    let proxy: FrontProxy;
    test.beforeAll(async () => {
      proxy = await start(process.env.E2E_BASE_URL?.replace("localhost", "127.0.0.1") ?? "");
    });
    test.afterAll(() => proxy.stop());
    test.use({ httpCredentials: proxyPassword, storageState: { cookies: [], origins: [] } });
    // The browser logs the 401 of the proxy itself.
    test.use({ tolerated: [/status of 401/] });

    /** Signs in on the page, and returns the tenant. */
    async function enter(page: Page, person: ReturnType<typeof credentialsOf>): Promise<string> {
      await page.goto(`${proxy.url}/sign-in`);
      await fillSignIn(page, person);
      await expect(page).toHaveURL(`${proxy.url}/t/${person.tenant}`);
      return person.tenant;
    }

    test("a user signs in, and saves roles with the ETag that was read", async ({
      page,
      world,
    }) => {
      const tenant = await enter(page, credentialsOf(world, "adm"));
      const { id } = await createServiceUser(page, tenant);
      await page.goto(`${proxy.url}/t/${tenant}/users/${id}/access`);
      await page.getByRole("checkbox", { name: "Product Information Management at a-one" }).check();
      const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
      await page.getByRole("button", { name: "Save 1 change" }).click();
      expect((await saved).status()).toBe(200);
    });

    test("a preview is edited", async ({ page, world }) => {
      const tenant = await enter(page, credentialsOf(world, "pim"));
      const key = `behind-${name}`;
      const path = await createPreview(page, tenant, key, '{"title":"A","enabled":false}');
      await page.goto(proxy.url + path);
      await page.getByLabel("Enabled").selectOption("Yes");
      await page.getByRole("button", { name: "Save preview" }).click();
      await expect(page.getByText("Unsaved edits")).toBeHidden();
      expect(await storedText(page, tenant, key)).toBe('{"title":"A","enabled":true}');
    });

    test("pages and calls work with any Accept, over keep-alive connections", async ({ world }) => {
      const person = credentialsOf(world, "adm");
      const { cookies } = await storageStateOf(process.env.E2E_BASE_URL ?? "", person);
      const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      const headers = { Authorization: basicHeader, Cookie, "X-Service-Tenant": person.tenant };
      const statusOf = async (path: string, Accept: string | undefined) => {
        const own = { ...headers, ...(Accept === undefined ? {} : { Accept }) };
        return (await fetchAdmitted(proxy.url + path, { headers: own })).status;
      };
      for (const accept of accepts) {
        for (const page of ["", "/users", "/metrics", "/alerts"])
          expect(await statusOf(`/t/${person.tenant}${page}`, accept), `${accept}`).toBe(200);
        for (const call of ["/v1/user/list", "/v1/user/session", "/v1/views"])
          expect([200, 406], `${accept}`).toContain(await statusOf(call, accept));
      }
    });

    test("412 for an ETag that the proxy made weak; without W/ it matches", async ({ world }) => {
      const person = credentialsOf(world, "adm");
      const headers = { Authorization: basicHeader, "X-Service-Tenant": person.tenant };
      const login = await fetch(`${proxy.url}/v1/user/session-login`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(person),
      });
      const session = { ...headers, "X-Service-Session-Id": (await login.json()).sessionId };
      const read = await fetch(`${proxy.url}/v1/tenant`, { headers: session });
      expect(read.headers.get("cache-control")).toContain("no-transform");
      const tag = read.headers.get("etag") ?? "";
      expect(tag).toMatch(/^W\//);
      const change = async (ifMatch: string) =>
        fetch(`${proxy.url}/v1/tenant`, {
          method: "PATCH",
          headers: { ...session, "Content-Type": "application/json", "If-Match": ifMatch },
          body: JSON.stringify({ name: (await read.clone().json()).name }),
        });
      const weak = await change(tag);
      expect(weak.status).toBe(412);
      expect((await weak.json()).detail).toContain("A proxy compressed the answer");
      expect((await change(tag.replace("W/", ""))).status).toBe(200);
    });
  });
