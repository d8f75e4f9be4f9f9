import { boxesOf } from "./support/boxes";
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

test.use({ viewport: { width: 360, height: 740 } });
test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

test("the longest name, login and address of a user have room on a phone", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await page.goto(`/t/${tenant}`);
  const id = await page.evaluate(async (tenant) => {
    const login = `${Date.now()}`.padEnd(128, "m");
    const body = {
      login,
      name: "M".repeat(128),
      emailAddress: `${"m".repeat(60)}@${"m".repeat(60)}.example`,
      roles: { roleIds: ["portal.default"] },
    };
    const headers = { "X-Service-Tenant": tenant, "Content-Type": "application/json" };
    const made = await fetch("/v1/user/invitations", {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return ((await made.json()) as { id: string }).id;
  }, tenant);
  for (const path of [`/users/${id}`, `/users/${id}/access`, "/users?q=mmmmmmmm"]) {
    await page.goto(`/t/${tenant}${path}`);
    await expect(page.getByText("MMMMMMMM").first()).toBeVisible();
    await test.step(path, () => expectNoOverflow(page));
  }
  const row = page.locator("tbody tr").first();
  const role = row.locator('[data-label="Roles"]');
  await expect(async () => {
    const [outer, inner] = await boxesOf(row, role);
    expect(inner.width).toBeGreaterThan(90);
    expect(inner.bottom).toBeLessThanOrEqual(outer.bottom);
  }).toPass();
});

test.describe("a separate tenant", () => {
  // Home names a key that expires soon only if it is the only one.
  test.use({ storageState: nobody });

  test("the longest name of an API key has room on a phone", async ({ page }) => {
    const tenant = await makeOwnTenant(page, "long-key");
    const name = "M".repeat(128);
    const data = { name, validTo: new Date(Date.now() + 3_600_000).toISOString() };
    const created = await callAs(page, "POST /v1/user/profile/api-keys", { tenant, data });
    expect(created.status()).toBe(200);
    for (const path of ["/me", ""]) {
      await page.goto(`/t/${tenant}${path}`);
      await expect(page.getByText(name).first()).toBeVisible();
      await expectNoOverflow(page);
    }
  });
});

test("a site can be selected on a phone too, and the menu marks the current page", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await page.goto(`/t/${tenant}/sites/${world.sites.A1}/customers`);
  await page.getByRole("button", { name: /^Site/ }).click();
  await page.getByRole("menuitemcheckbox", { name: world.sites.A2 ?? "" }).click();
  await expect(page).toHaveURL(new RegExp(`/sites/${world.sites.A2}/customers$`));
  await page.goto(`/t/${tenant}/settings`);
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const here = menu.getByRole("link", { name: "Settings" });
  await expect(here).toBeInViewport({ ratio: 0.9 });
  await expect(here).toHaveAttribute("aria-current", "page");
  await expectAccessible(page);
  await menu.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("the sort controls of the users are in one line, in a header as wide as the list", async ({
  page,
  world,
}) => {
  await page.goto(`/t/${credentialsOf(world, "adm").tenant}/users`);
  const sorts = page.locator("[data-cards] thead button");
  await expect(sorts).toHaveCount(4);
  const tops = () =>
    sorts.evaluateAll((all) => [
      ...new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))),
    ]);
  await expect.poll(tops).toHaveLength(1);
  const cards = page.locator("[data-cards]");
  await expect(async () => {
    const [head, body] = await boxesOf(cards.locator("thead"), cards.locator("tbody"));
    expect(head.width).toBe(body.width);
  }).toPass();
});

test("each role of a user is a card, with its checkboxes on the screen", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { id } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users/${id}/access`);
  const box = page.getByRole("checkbox", { name: "Portals Users Management in the whole tenant" });
  await box.scrollIntoViewIfNeeded();
  await expect(box).toBeInViewport({ ratio: 1 });
  const region = page.getByRole("region", { name: "Roles by tenant and site" });
  await expect.poll(() => region.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await box.check();
  await expectAccessible(page);
});
