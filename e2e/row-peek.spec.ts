import type { Page } from "@playwright/test";
import { atRest, escapeFrom } from "./support/at-rest";
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

test("users are walked by j and k, peeked at by Space, and opened by Enter", async ({
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

test("the keys of the rows leave fields, dialogs and menus alone", async ({ page, world }) => {
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

test("requests and customers have the same keys", async ({ page, world }) => {
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

test("a filter that takes the row away closes the panel", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  const { login } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users?q=${login}`, { waitUntil: "networkidle" });
  await page.keyboard.press("p");
  await expect(peek(page)).toBeVisible();
  await page.getByRole("button", { name: "Invited" }).click();
  await expect(peek(page)).toBeHidden();
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
