import { expectSoundInEveryLook } from "./support/looks";
import { enterOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, expectAccessible, fillSignIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test("a user with roles in two tenants switches without signing in again, and creates a sandbox that the switcher lists", async ({
  page,
  world,
}) => {
  const dual = credentialsOf(world, "dual");
  const other = world.tenants.B;
  await page.goto("/sign-in");
  await fillSignIn(page, dual);
  await expect(page).toHaveURL(new RegExp(`/t/${dual.tenant}$`));

  const switcher = page.getByRole("button", { name: /^Tenant/ });
  await switcher.click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: other }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${other}$`));
  await expect(page.getByText("You are signed in to ")).toContainText(other ?? "");

  await switcher.click();
  await page.getByRole("menuitem", { name: "New sandbox" }).click();
  const dialog = page.getByRole("dialog", { name: "New sandbox" });
  const sandbox = `e2e-own-${Date.now()}`;
  await dialog.getByLabel("Tenant id").fill(sandbox);
  await dialog.getByLabel("Tenant name").fill("My own");
  await dialog.getByLabel("First site id").fill("shop");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create sandbox" }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${sandbox}$`));
  await expect(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }),
  ).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search pages, actions and people").fill(dual.tenant);
  await page.getByRole("option", { name: dual.tenant }).click();
  await expect(page, "the first session still lives").toHaveURL(new RegExp(`/t/${dual.tenant}$`));
  await switcher.click();
  for (const tenant of [dual.tenant, other, sandbox])
    await expect(page.getByRole("menuitem", { name: new RegExp(`\\b${tenant}\\b`) })).toBeVisible();
});

test("a switch keeps the site if the other tenant has it", async ({ page }) => {
  const password = "four words in a row";
  const ids = ["kept", "same", "none"].map((name) => `e2e-${name}-${Date.now()}`);
  const [home = "", same = "", none = ""] = ids;
  const person = { login: "ada", name: "Ada Example", emailAddress: "ada@example.com" };
  const given = { ...person, password, tenant: home, site: "shop" };
  const made = await page.request.post("/v1/signup", { data: given });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto("/sign-in");
  await fillSignIn(page, { tenant: home, login: "ada", password });
  await expect(page).toHaveURL(new RegExp(`/t/${home}$`));
  for (const [tenant, site] of [
    [same, "shop"],
    [none, "other"],
  ]) {
    const data = { tenant, site, name: tenant };
    const created = await callAs(page, "POST /v1/user/sandboxes", { tenant: home, data });
    expect(created.status(), await created.text()).toBe(201);
  }
  const switchTo = async (tenant: string) => {
    await page.getByRole("button", { name: /^Tenant/ }).click();
    await page.getByRole("menuitem", { name: tenant }).click();
  };
  await page.goto(`/t/${home}/sites/shop/customers`);
  await switchTo(same);
  await expect(page).toHaveURL(new RegExp(`/t/${same}/sites/shop/customers$`));
  await page.goto(`/t/${same}?site=shop`);
  await switchTo(home);
  await expect(page).toHaveURL(new RegExp(`/t/${home}\\?site=shop$`));
  await switchTo(none);
  await expect(page).toHaveURL(new RegExp(`/t/${none}$`));
  await page.goto(`/t/${home}/users?site=shop&q=ada`);
  await switchTo(same);
  await expect(page).toHaveURL(new RegExp(`/t/${same}/users\\?site=shop$`));
  await page.goto(`/t/${same}/users`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "Ada Example" }).click();
  await expect(page).toHaveURL(/users\/user_/);
  await switchTo(none);
  await expect(page, "one user counts for the list").toHaveURL(new RegExp(`/t/${none}/users$`));
});

test("a switch leads to Home if the user may not open the page there, from the palette too", async ({
  page,
  world,
}) => {
  const dual = credentialsOf(world, "dual");
  const other = world.tenants.B ?? "";
  await page.goto(`/sign-in?next=/t/${dual.tenant}/users`);
  await fillSignIn(page, dual);
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
  await page.getByRole("button", { name: /^Tenant/ }).click();
  await page.getByRole("menuitem", { name: other }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${other}$`));
  const go = async (tenant: string) => {
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search pages, actions and people").fill(tenant);
    await page.getByRole("option", { name: tenant }).click();
  };
  await page.goto(`/t/${other}/me`);
  await go(dual.tenant);
  await expect(page).toHaveURL(new RegExp(`/t/${dual.tenant}/me$`));
});

test("long menus of tenants and sites have a search", async ({ page }) => {
  const tenant = await enterOwnTenant(page, "many");
  const made = [...Array(6).keys()].map((at) => `${tenant}-${at}`);
  for (const [at, one] of made.entries()) {
    const data = { tenant: one, site: "shop", name: `Number ${at}` };
    const sandbox = await callAs(page, "POST /v1/user/sandboxes", { tenant, data });
    expect(sandbox.status(), await sandbox.text()).toBe(201);
    const site = { id: `site-${at}`, name: `Site ${at}` };
    const added = await callAs(page, "POST /v1/tenant/sites", { tenant, data: site });
    expect(added.status(), await added.text()).toBe(201);
  }
  await page.goto(`/t/${tenant}/users`, { waitUntil: "networkidle" });
  const sites = page.getByRole("button", { name: /^Site/ });
  await sites.press("Enter");
  const field = page.getByRole("combobox", { name: "Search sites" });
  await expect(field).toBeFocused();
  const options = page.getByRole("listbox").getByRole("option");
  await expect(options).toHaveCount(8);
  await expectSoundInEveryLook(page);
  await field.fill("SITE-");
  await expect(options).toHaveCount(6);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await field.press(key);
  await expect(options.and(page.locator("[aria-selected=true]"))).toHaveText("Site 1 (site-1)");
  await field.press("Enter");
  await expect(page).toHaveURL(/users\?site=site-1$/);
  await expect(field).toBeHidden();

  const switcher = page.getByRole("button", { name: /^Tenant/ });
  await switcher.click();
  const tenants = page.getByRole("combobox", { name: "Search tenants" });
  await tenants.fill("nowhere");
  await expect(page.getByRole("status").filter({ hasText: "No entry matches" })).toBeVisible();
  await expectAccessible(page);
  await tenants.press("Escape");
  await expect(tenants).toBeHidden();
  await expect(switcher).toBeFocused();
  await switcher.press("ArrowDown");
  await tenants.fill("number 4");
  await options.getByText(`Number 4 (${tenant}-4)`).click();
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}-4/users$`));
});

test.describe("a user who has lost access to the other tenant", () => {
  test.use({ tolerated: [/status of 401/] });

  test("stays in the current tenant and sees the reason", async ({ page }) => {
    const password = "four words in a row";
    const [home, other] = [`e2e-home-${Date.now()}`, `e2e-lost-${Date.now()}`];
    const post = async (path: string, headers: Record<string, string>, data: unknown) =>
      (await page.request.post(path, { headers, data })).json();
    const sessionOf = async (tenant: string, login: string) => {
      const { sessionId } = await post(
        "/v1/user/session-login",
        { "X-Service-Tenant": tenant },
        { tenant, login, password },
      );
      return { "X-Service-Tenant": tenant, "X-Service-Session-Id": String(sessionId) };
    };
    const ada = { login: "ada", name: "Ada Example", emailAddress: "ada@example.com" };
    const { user } = await post("/v1/signup", {}, { tenant: home, site: "shop", password, ...ada });
    await post("/v1/user/sandboxes", await sessionOf(home, "ada"), {
      tenant: other,
      site: "shop",
      name: other,
    });
    const bob = {
      login: "bob",
      name: "Bob Example",
      emailAddress: "bob@example.com",
      roles: { roleIds: ["tenant.admin"] },
    };
    const { token } = await post("/v1/user/invitations", await sessionOf(other, "ada"), bob);
    await post("/v1/user/invitations/accept", { "X-Service-Tenant": other }, { token, password });

    await page.goto("/sign-in");
    await fillSignIn(page, { tenant: home, login: "ada", password });
    await expect(page).toHaveURL(new RegExp(`/t/${home}$`));
    await post(`/v1/user/${user.id}/lock`, await sessionOf(other, "bob"), { reason: "a test" });
    await page.getByRole("button", { name: /^Tenant/ }).click();
    await page.getByRole("menuitem", { name: other }).click();
    await expect(page.getByText(`Could not switch to ${other}.`)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/t/${home}$`));
  });
});
