import type { Page } from "@playwright/test";
import { expectSoundInEveryLook, firstLook, openToLookAt } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

interface Visit {
  name: string;
  path: (tenant: string) => string;
  /** Opens the initially hidden parts of the page. */
  open?: (page: Page) => Promise<void>;
}

const dialog = (page: Page) => expect(page.getByRole("dialog")).toBeVisible();

const visits: Visit[] = [
  { name: "sign-in", path: () => "/sign-in" },
  { name: "forgot-password", path: () => "/forgot-password" },
  { name: "home", path: (tenant) => `/t/${tenant}` },
  { name: "user details", path: (tenant) => `/t/${tenant}/me` },
  { name: "generate dialog", path: (tenant) => `/t/${tenant}/me?generate=1`, open: dialog },
  { name: "users", path: (tenant) => `/t/${tenant}/users` },
  {
    name: "users, columns open",
    path: (tenant) => `/t/${tenant}/users`,
    open: async (page) => {
      await page.getByRole("button", { name: "Columns" }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  {
    name: "a user",
    path: (tenant) => `/t/${tenant}/users?q=low`,
    open: async (page) => {
      await page.locator("[data-row]").first().click();
      await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toBeVisible();
    },
  },
  {
    name: "a user that is not there",
    path: (tenant) => `/t/${tenant}/users/user_01h455vb4pex5vsknk084sn02q`,
  },
  {
    name: "palette",
    path: (tenant) => `/t/${tenant}`,
    open: async (page) => {
      await page.keyboard.press("Control+k");
      await dialog(page);
    },
  },
  {
    name: "shortcuts",
    path: (tenant) => `/t/${tenant}`,
    open: async (page) => {
      await page.getByRole("button", { name: "Shortcuts" }).click();
      await dialog(page);
    },
  },
  {
    name: "user menu",
    path: (tenant) => `/t/${tenant}`,
    open: async (page) => {
      await page.getByRole("button", { name: /account and settings/ }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  { name: "reference", path: () => "/docs" },
  { name: "a guide", path: () => "/docs/guides/quick-start" },
  { name: "a guide with tables", path: () => "/docs/guides/rate-limits" },
  { name: "an operation", path: () => "/docs/get-v1-user-list" },
  { name: "changelog", path: () => "/docs/changelog" },
  { name: "errors", path: () => "/docs/errors" },
  { name: "an error", path: () => "/docs/errors/user.locked" },
  { name: "permissions", path: () => "/docs/permissions" },
  { name: "nothing", path: () => "/there-is-nothing-here" },
];

test.use(firstLook);
test.use({ storageState: async ({}, use) => use(signedIn("um")) });
test.use({ tolerated: [/status of 404/] });

for (const visit of visits)
  test(`${visit.name}: axe finds nothing, the console is empty, nothing overflows`, async ({
    page,
    world,
  }) => {
    await openToLookAt(page, visit.path(credentialsOf(world, "um").tenant));
    await visit.open?.(page);
    await expectSoundInEveryLook(page);
  });

test("on a narrow screen without a button for shortcuts the key opens them", async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/t/${credentialsOf(world, "um").tenant}`);
  await expect(page.getByRole("button", { name: "Shortcuts" })).toBeHidden();
  await page.keyboard.press("?");
  await dialog(page);
});
