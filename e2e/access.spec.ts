import {
  credentialsOf,
  expect,
  expectAccessible,
  fillSignIn,
  signedIn,
  test,
} from "./support/portal";

test.describe("somebody with portal.default only", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("low")) });

  test("403: a page that the roles do not open says which permission is missing and who can give it", async ({
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
    await expect(page.getByRole("button", { name: "Ask for access" })).toBeVisible();
    await expectAccessible(page);
  });

  test("the palette shows what is locked, with the permission it needs, and does not open it", async ({
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

test("authority from a site shows that site's users only, and nobody else's roles", async ({
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

test("one browser holds a session per tenant, and switches between them", async ({
  page,
  world,
}) => {
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

test("a tenant that one is not signed in to leads to sign-in and names the tenant there", async ({
  page,
  world,
}) => {
  await page.goto(`/t/${world.tenants.B}/me`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByLabel("Tenant")).toHaveValue(world.tenants.B);
});
