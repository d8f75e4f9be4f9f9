import type { Page } from "@playwright/test";
import { atRest, escapeFrom } from "./support/at-rest";
import { makeOwnTenant, nobody } from "./support/own-tenant";
import {
  credentialsOf,
  expect,
  expectAccessible,
  expectNoOverflow,
  signedIn,
  test,
} from "./support/portal";
import { callAs, createServiceUser } from "./support/service-calls";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

const rows = (page: Page) => page.locator("[data-row]");
const peek = (page: Page) => page.getByRole("region", { name: /^Peek/ });
const nameOf = async (page: Page, at: number) => (await rows(page).nth(at).textContent()) ?? "";

test("j and k move through the users, Space peeks at one, and Enter opens it", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await page.goto(`/t/${tenant}/users`, { waitUntil: "networkidle" });
  await page.keyboard.press("j");
  await expect(rows(page).first()).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowDown");
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press("Space");
  await expect(peek(page)).toHaveAccessibleName(`Peek: ${await nameOf(page, 1)}`);
  await expect(rows(page).nth(1)).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("j");
  const third = await nameOf(page, 2);
  await expect(peek(page)).toHaveAccessibleName(`Peek: ${third}`);
  await peek(page).getByRole("button", { name: "Copy user id" }).focus();
  await page.keyboard.press("Escape");
  await expect(peek(page)).toBeHidden();
  await expect(rows(page).nth(2)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: third })).toBeVisible();
});

test("the shortcuts of rows have no effect in fields, dialogs and menus", async ({
  page,
  world,
}) => {
  await page.goto(`/t/${credentialsOf(world, "adm").tenant}/users`, { waitUntil: "networkidle" });
  await page.getByLabel("Search users").focus();
  await page.keyboard.type("jp");
  await expect(page.getByLabel("Search users")).toHaveValue("jp");
  await page.getByLabel("Search users").fill("");
  await page.getByLabel("Search users").blur();
  await page.keyboard.press("?");
  const shortcuts = page.getByRole("dialog", { name: "Shortcuts" });
  await expect(shortcuts).toContainText("Peek");
  await page.keyboard.press("p");
  await escapeFrom(page, "dialog");
  await page.getByRole("button", { name: "Columns" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("p");
  await escapeFrom(page, "menu");
  await rows(page).first().focus();
  const box = page.getByRole("checkbox").nth(1);
  await box.press("Space");
  await expect(box).toBeChecked();
  await expect(peek(page)).toBeHidden();
  await page.keyboard.press("p");
  await expect(peek(page)).toBeHidden();
});

test("requests and customers have the same shortcuts", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await callAs(page, "GET /v1/user/user_unknown", { tenant });
  await callAs(page, "POST /v1/customers", {
    tenant,
    headers: { "X-Service-Site": world.sites.A1 ?? "" },
    data: { login: `peeked-${Date.now()}`, name: { first: "Jo" } },
  });
  const logged = async () =>
    (await (await callAs(page, "GET /v1/requests?limit=1", { tenant })).json()).length;
  await expect.poll(logged, "written to the log a moment later").toBe(1);
  for (const path of ["/requests?outcome=all", `/sites/${world.sites.A1}/customers`]) {
    await page.goto(`/t/${tenant}${path}`, { waitUntil: "networkidle" });
    await expect(rows(page).first()).toBeVisible();
    await atRest(page);
    await page.keyboard.press("p");
    await expect(rows(page).first()).toBeFocused();
    await expect(peek(page)).toHaveAccessibleName(`Peek: ${await nameOf(page, 0)}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light" });
    await page.keyboard.press("p");
    await expect(peek(page)).toBeHidden();
  }
});

test("a filter that removes the row closes the panel", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  const { login } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users?q=${login}`, { waitUntil: "networkidle" });
  await page.keyboard.press("p");
  await expect(peek(page)).toBeVisible();
  await page.getByRole("button", { name: "Invited" }).click();
  await expect(peek(page)).toBeHidden();
});

test.describe("a separate tenant", () => {
  // Users of other tests would appear between the rows.
  test.use({ storageState: nobody });

  test("a reload, a link and the browser's Back show the same row and the same selected users", async ({
    page,
  }) => {
    const tenant = await makeOwnTenant(page, "rows");
    for (const _ of ["second", "third"]) await createServiceUser(page, tenant);
    const bar = (on: Page) => on.getByRole("region", { name: "Selected users" });
    const expectBoth = async (on: Page, name: string) => {
      await expect(peek(on)).toHaveAccessibleName(`Peek: ${name}`);
      await expect(bar(on)).toContainText("2 selected");
      await expect(on.getByRole("checkbox").nth(1)).toBeChecked();
      await expect(on.getByRole("checkbox").nth(3)).toBeChecked();
    };
    await page.goto(`/t/${tenant}/users?sort=login`, { waitUntil: "networkidle" });
    const entries = await page.evaluate(() => history.length);
    for (const at of [1, 3]) await page.getByRole("checkbox").nth(at).check();
    await rows(page).first().focus();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const key of ["p", "j", "j"]) await page.keyboard.press(key);
    const ids = await rows(page).evaluateAll((all) =>
      all.map((row) => row.getAttribute("data-row")),
    );
    const address = new RegExp(`users\\?sort=login&selected=${ids[0]},${ids[2]}&peek=${ids[2]}$`);
    await expect(page).toHaveURL(address);
    expect(await page.evaluate(() => history.length), "no entry for a row").toBe(entries);
    const pages = asked.filter((url) => url.includes("_rsc") && url.includes("/users?"));
    expect(pages, "the list is not asked for again").toEqual([]);
    const third = await nameOf(page, 2);
    await page.reload({ waitUntil: "networkidle" });
    await expectBoth(page, third);
    await expectAccessible(page);
    const second = await page.context().newPage();
    await second.goto(page.url(), { waitUntil: "networkidle" });
    await expectBoth(second, third);
    await second.close();
    await peek(page).getByRole("link", { name: "Open page" }).click();
    await expect(page.getByRole("heading", { level: 1, name: third })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expectBoth(page, third);
    await bar(page).getByRole("button", { name: "Clear selection" }).click();
    await peek(page).getByRole("button", { name: "Close peek" }).click();
    await expect(page).toHaveURL(/users\?sort=login$/);
  });
});

test("a filter keeps the row in the address, a view does not, and an unknown id is dropped", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { login } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users?q=${login}&peek=user_unknown&selected=user_unknown`);
  await expect(page).toHaveURL(new RegExp(`\\?q=${login}$`));
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("p");
  await page.getByRole("checkbox").nth(1).check();
  const id = await rows(page).first().getAttribute("data-row");
  await expect(page).toHaveURL(new RegExp(`\\?q=${login}&selected=${id}&peek=${id}$`));
  await page.getByRole("button", { name: "Active", exact: true }).click();
  await expect(page).toHaveURL(/lock=false/);
  await expect(page).toHaveURL(new RegExp(`peek=${id}`));
  // The panel covers the button.
  await page.getByRole("button", { name: "Views" }).press("Enter");
  await page.getByRole("menuitem", { name: "Save as view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as view" });
  const name = `Noted ${Date.now()}`;
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();
  const saved = await (await callAs(page, "GET /v1/views?page=users", { tenant })).json();
  const query = saved.find((one: { name: string }) => one.name === name).query;
  expect(query).toContain("lock=false");
  expect(query).not.toMatch(/peek|selected/);
});

test("a phone has no panel", async ({ page, world }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/t/${credentialsOf(world, "adm").tenant}/users`, { waitUntil: "networkidle" });
  await page.keyboard.press("j");
  await page.keyboard.press("p");
  await page.keyboard.press("j");
  await expect(rows(page).nth(1)).toBeFocused();
  await expect(peek(page)).toBeHidden();
  await expectNoOverflow(page);
});
