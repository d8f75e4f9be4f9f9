import { places } from "@/components/shell/navigation";
import {
  credentialsOf,
  expect,
  expectAccessible,
  fillSignIn,
  signedIn,
  test,
} from "./support/portal";

const headers = { Accept: "text/html" };
/** Pages of objects that do not exist. */
const missing = [
  "/nothing",
  "/users/user_01h455vb4pex5vsknk084sn02q",
  "/alerts/alert_none",
  "/webhooks/hook_none",
  "/streams/stream_none",
  "/requests/none",
  "/sites/none/previews",
  "/sites/a-one/previews/none",
  "/sites/a-one/previews/none/history",
  "/sites/a-one/customers/cust_01h455vb4pex5vsknk084sn02q",
];

test.describe("a user with portal.default only", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("low")) });
  test.use({ tolerated: [/status of 403/] });

  test("every page of the menu is 403 without its permission, and 200 for an administrator", async ({
    page,
    world,
    browser,
    baseURL,
  }) => {
    const { tenant } = credentialsOf(world, "low");
    const storageState = signedIn("adm");
    const other = await browser.newContext({ storageState, ...(baseURL && { baseURL }) });
    const paths = places.map(({ path, isPerSite, permission }) => ({
      path: `/t/${tenant}${isPerSite ? "/sites/a-one" : ""}${path}`,
      status: permission === undefined ? 200 : 403,
    }));
    for (const { path, status } of [...paths, { path: "/platform/tenants", status: 403 }])
      expect((await page.request.get(path, { headers })).status(), path).toBe(status);
    for (const { path } of paths)
      expect((await other.request.get(path, { headers })).status(), path).toBe(200);
    for (const path of missing)
      expect((await other.request.get(`/t/${tenant}${path}`, { headers })).status(), path).toBe(
        404,
      );
    await other.close();
  });

  test("403: a page without permission says which one is missing and who can grant it", async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "low");
    await page.goto(`/t/${tenant}/users`);
    await expect(
      page.getByRole("heading", { name: "You don't have access to this page" }),
    ).toBeVisible();
    await expect(page.getByRole("main")).toContainText("user.read");
    await expect(page.getByRole("main")).toContainText("Portals Users Management");
    await expect(
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Users" }),
    ).toHaveCount(0);
    await page.getByRole("button", { name: "Ask for access" }).click();
    await expect(page.getByText(/^You asked for the role .* It waits/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Withdraw request" }).click();
    await expect(page.getByRole("button", { name: "Ask for access" })).toBeVisible();
  });

  test("the palette shows locked entries with their permission, and does not open them", async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "low");
    await page.goto(`/t/${tenant}`);
    await page.keyboard.press("Control+k");
    const entry = page.getByRole("option", {
      name: /Users.*needs user.read, given by Portals Users Management/,
    });
    await expect(entry).toHaveAttribute("aria-disabled", "true");
  });
});

test("a role at a site shows only the users of that site and their roles there", async ({
  page,
  world,
}) => {
  const um1 = credentialsOf(world, "um1");
  await page.goto(`/sign-in?next=/t/${um1.tenant}/users`);
  await fillSignIn(page, um1);
  const rows = page.getByRole("table", { name: "Users" }).locator("tbody tr");
  await expect(rows.filter({ hasText: "um1" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "adm" })).toHaveCount(0);
});

test("one browser has a session per tenant, and switches between them", async ({ page, world }) => {
  const inA = credentialsOf(world, "dual");
  const inB = { ...inA, tenant: world.tenants.B };
  await page.goto("/sign-in");
  await fillSignIn(page, inA);
  await expect(page).toHaveURL(new RegExp(`/t/${inA.tenant}$`));
  await page.getByRole("button", { name: /^Tenant/ }).click();
  await page.getByRole("menuitem", { name: "Sign in to another tenant" }).click();
  await fillSignIn(page, inB);
  await expect(page).toHaveURL(new RegExp(`/t/${inB.tenant}$`));
  await page.getByRole("button", { name: /^Tenant/ }).click();
  await page.getByRole("menuitem", { name: inA.tenant }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${inA.tenant}$`));
  await expect(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Users" }),
  ).toBeVisible();
});

test("a tenant without a session leads to sign-in with the tenant filled in", async ({
  page,
  world,
}) => {
  await page.goto(`/t/${world.tenants.B}/me`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByLabel("Tenant")).toHaveValue(world.tenants.B);
});
