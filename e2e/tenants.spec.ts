import { makeOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.describe("sign-up", () => {
  // The service rejects the taken id with 409, which the browser logs to its console.
  test.use({ tolerated: [/status of 409/] });

  test("one form creates a sandbox and signs in; a taken id is reported at its field", async ({
    page,
    world,
  }) => {
    await page.goto("/sign-in");
    await page.getByRole("link", { name: "Create a sandbox" }).click();
    await page.getByLabel("Your name").fill("Ada Example");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await expect(page.getByLabel("Tenant id"), "proposed").toHaveValue("ada-example");
    await expect(page.getByLabel("Login"), "proposed").toHaveValue("ada");
    await expect(page.getByLabel("First site id"), "proposed").toHaveValue("shop");
    await page.getByLabel("Tenant id").fill(world.tenants.A);
    await page.getByLabel("Password", { exact: true }).fill("four words in a row");
    await page.getByRole("button", { name: "Create sandbox" }).click();
    await expect(page.getByLabel("Tenant id")).toHaveAttribute("aria-invalid", "true");
    const tenant = `e2e-${Date.now()}`;
    await page.getByLabel("Tenant id").fill(tenant);
    await page.getByRole("button", { name: "Create sandbox" }).click();
    await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
    await expect(
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }),
    ).toBeVisible();
    await expect(page.getByRole("banner"), "a sandbox says so on every page").toContainText(
      "Sandbox",
    );
  });
});

test.describe("an administrator", () => {
  test("adds a site, sets a lifetime, and sees both in a valid trail", async ({ page }) => {
    // During this test no shopper of the tenant can register, and sessions expire earlier.
    const tenant = await makeOwnTenant(page, "settings");
    await page.goto(`/t/${tenant}/settings#security`);
    await page.getByRole("button", { name: "Add site" }).click();
    await page.getByLabel("Site id").fill("e2e-shop");
    await page.getByLabel("Site name").fill("End to end");
    await page.getByLabel("Allowed origins").fill("https://shop.example");
    await page.getByRole("button", { name: "Add site" }).last().click();
    await expect(page.getByRole("table", { name: /^Sites/ })).toContainText("https://shop.example");
    const registration = page.getByLabel("Shoppers may register themselves");
    await registration.uncheck();
    await page.getByRole("button", { name: "Save policy" }).click();
    await expect(page.getByText("Security policy saved")).toBeVisible();
    await page.reload();
    await expect(registration).not.toBeChecked();
    await registration.check();
    await page.getByLabel("Idle timeout", { exact: true }).fill("20");
    await page.getByRole("button", { name: "Save policy" }).click();
    await expect(page.getByText("Security policy saved")).toBeVisible();
    await page.getByRole("button", { name: "Delete site e2e-shop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete site" }).click();
    await expect(page.getByRole("table", { name: /^Sites/ })).not.toContainText("e2e-shop");

    await page.goto(`/t/${tenant}/audit?action=tenant.*`);
    const entries = page.getByRole("table", { name: /^Audit entries/ });
    await expect(entries).toContainText("changed the security policy");
    await expect(entries).not.toContainText("created the site");
    await page
      .getByRole("button", { name: /^Details of tenant.security-policy-changed/ })
      .first()
      .click();
    await expect(entries).toContainText("PT20M");
    await expect(entries).toContainText("tenant.security-policy-changed");
    await page.getByRole("button", { name: "Verify chain" }).click();
    await expect(page.getByText(/entries verified/)).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV", exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${tenant}-audit.csv`);
  });
});

test.describe("an administrator of tenant A", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  test("a pasted request id shows which check rejected the request, the missing permission, and how to grant it", async ({
    page,
    world,
    request,
  }) => {
    const low = credentialsOf(world, "low");
    const headers = { "X-Service-Tenant": low.tenant };
    const login = await request.post("/v1/user/session-login", { headers, data: low });
    const { sessionId } = (await login.json()) as { sessionId: string };
    const trace = `e2e-${Date.now()}`;
    const asLow = { ...headers, "X-Service-Session-Id": sessionId, "X-Service-Request-Id": trace };
    expect((await request.get("/v1/user/list", { headers: asLow })).status()).toBe(403);

    const logged = async () => {
      const found = await callAs(page, `GET /v1/requests?requestId=${trace}`, low);
      return (await found.json()).length;
    };
    await expect.poll(logged, "written to the log a moment later").toBe(1);
    await page.goto(`/t/${low.tenant}/requests`);
    await page.getByLabel("Find a request by its id").fill(trace);
    await expect(page).toHaveURL(new RegExp(trace));
    const found = page.getByRole("link", { name: "GET /v1/user/list" });
    await expect(found, "other tests are refused too: only this one is on screen").toHaveCount(1);
    await found.click();
    await expect(page.getByRole("listitem").filter({ hasText: "Roles allow it" })).toContainText(
      "user.read",
    );
    await expect(page.getByRole("region", { name: "Today" })).toContainText(
      "Portals Users Management",
    );
    await expectAccessible(page);
    await page.getByRole("link", { name: "Change roles" }).click();
    await expect(page).toHaveURL(/\/access$/);
  });
});
