import type { Page } from "@playwright/test";
import { actWhenAwake } from "./support/awake";
import { expectSoundInEveryLook } from "./support/looks";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

interface World {
  tenants: { A: string };
  sites: Record<string, string>;
}

/** Registers a customer as a shop does. Returns the login. */
async function register(page: Page, base: string, world: World, name: string): Promise<string> {
  const headers = { "X-Service-Tenant": world.tenants.A, "X-Service-Site": world.sites.A1 ?? "" };
  const given = await page.request.post(`${base}/v1/customer/login/anonymous-token`, { headers });
  const { accessToken } = await given.json();
  const login = `${name}-${Date.now()}`;
  const answer = await page.request.post(`${base}/v1/customer/registration`, {
    headers: { ...headers, Authorization: `Bearer ${accessToken}` },
    data: {
      login,
      password: "a longer secret",
      emailAddress: `${login}@example.com`,
      name: { first: "Wilhelmina", last: "Quist" },
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return login;
}

const customersOf = (world: World) => `/t/${world.tenants.A}/sites/${world.sites.A1}/customers`;

test("a customer is found by the whole login only, revealed for a reason, and hidden again", async ({
  page,
  world,
  baseURL,
}) => {
  const login = await register(page, baseURL ?? "", world, "reveal");
  await page.goto(customersOf(world));
  const search = page.getByRole("searchbox", { name: /Whole login/ });
  await search.fill(login.slice(0, -1));
  await search.press("Enter");
  await expect(page.getByText("No customer has exactly this")).toBeVisible();
  await search.fill(login);
  await search.press("Enter");
  await page.getByRole("link", { name: "W••• Q•••" }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "W••• Q•••" })).toBeVisible();
  await expect(main).not.toContainText(login);
  await page.getByRole("button", { name: "Reveal personal data" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Reveal", exact: true }).click();
  await expect(dialog).toContainText("Choose at least one.");
  await expect(dialog).toContainText("Enter a reason.");
  await dialog.getByLabel("Name", { exact: true }).check();
  await dialog.getByLabel("Reason").fill("Ticket 4711");
  await dialog.getByRole("button", { name: "Reveal", exact: true }).click();
  await expect(main).toContainText("Wilhelmina Quist");
  await expect(main).not.toContainText(`${login}@example.com`);
  await page.getByRole("button", { name: "Hide personal data" }).click();
  await expect(main).not.toContainText("Wilhelmina");
});

test("a lock shows its effects, stores its reason, and is undone by one click", async ({
  page,
  world,
  baseURL,
}) => {
  const login = await register(page, baseURL ?? "", world, "lock");
  await page.goto(`${customersOf(world)}?q=${login}`);
  await page.getByRole("link", { name: "W••• Q•••" }).click();
  await page.getByRole("button", { name: "Lock customer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Chargebacks");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Lock customer" }).click();
  await expect(page.getByRole("main")).toContainText("Chargebacks");
  await expect(page.getByText("Locked", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Unlock customer" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
});

test("a customer is added to another site and removed from it again", async ({
  page,
  world,
  baseURL,
}) => {
  const login = await register(page, baseURL ?? "", world, "sites");
  await page.goto(`${customersOf(world)}?q=${login}`);
  await page.getByRole("link", { name: "W••• Q•••" }).click();
  const sites = page.getByRole("region", { name: "Sites" });
  await expect(sites.getByRole("listitem")).toHaveText([world.sites.A1 ?? ""]);
  await sites.getByLabel("Another site").selectOption(world.sites.A2 ?? "");
  await sites.getByRole("button", { name: "Add to site" }).click();
  await expect(sites.getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page);
  await sites.getByRole("button", { name: `Remove from ${world.sites.A2}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("end within a second");
  await dialog.getByRole("button", { name: "Remove from site" }).click();
  await expect(sites.getByRole("listitem")).toHaveText([world.sites.A1 ?? ""]);
});

test("list, details and dialogs: axe finds nothing and nothing overflows", async ({
  page,
  world,
  baseURL,
}) => {
  const login = await register(page, baseURL ?? "", world, "axe");
  await page.goto(customersOf(world), { waitUntil: "networkidle" });
  await expectSoundInEveryLook(page);
  await page.goto(`${customersOf(world)}?q=${login}`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "W••• Q•••" }).click();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole("button", { name: "Reveal personal data" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectSoundInEveryLook(page);
});

test("403: a user without the permission sees which one is missing", async ({
  browser,
  world,
  baseURL,
}) => {
  const context = await browser.newContext({
    storageState: signedIn("low"),
    ...(baseURL ? { baseURL } : {}),
  });
  await actWhenAwake(context);
  const page = await context.newPage();
  await page.goto(customersOf(world));
  await expect(page.getByRole("main")).toContainText("customer.manage");
  expect(credentialsOf(world, "low").tenant).toBe(world.tenants.A);
  await context.close();
});
