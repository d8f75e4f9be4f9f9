import { atRest } from "./support/at-rest";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { makeOwnTenant, nobody } from "./support/own-tenant";
import { credentialsOf, expect, signedIn, test } from "./support/portal";
import { callAs, createServiceUser } from "./support/service-calls";

test.use(firstLook);
test.use({ storageState: nobody });

test("roles are kept and removed by keyboard, and removals are saved person by person", async ({
  page,
}) => {
  const tenant = await makeOwnTenant(page, "review");
  for (let n = 0; n < 20; n += 1) await createServiceUser(page, tenant);
  const { id } = await createServiceUser(page, tenant, ["portal.qa.mgmt", "portal.pim.mgmt"]);
  await page.goto(`/t/${tenant}/access-review`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Access review");
  const keep = page.getByRole("button", { name: /^Keep / }).first();
  await expect(keep).toBeVisible();
  await atRest(page);
  await page.keyboard.press("ArrowDown");
  await expect(keep).toBeFocused();
  await page.keyboard.press("k");
  await expect(keep).toHaveAttribute("aria-pressed", "true");
  await expect(keep).not.toBeFocused();
  const rows = page.locator(`tr[data-grant^="${id} "]`);
  const more = page.getByRole("button", { name: "Show more users" });
  await expect(rows, "twenty users are shown at first").toHaveCount(0);
  await more.click();
  await expect(rows).toHaveCount(2);
  await rows
    .first()
    .getByRole("button", { name: /^Keep / })
    .focus();
  await page.keyboard.press("r");
  await page.keyboard.press("k");
  await expect(page.getByRole("status").filter({ hasText: "removal" })).toContainText("1 removal");
  await expectSoundInEveryLook(page);
  await page.reload();
  await more.click();
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Review and save" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove 1 role" });
  await expectSoundInEveryLook(page);
  await dialog.getByRole("button", { name: "Save removals" }).click();
  await expect(dialog).toContainText("1 of 1 person done");
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Review and save" })).toBeDisabled();
});

test.describe("an administrator", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  test("an administrator's own roles can be removed only by another administrator", async ({
    page,
    world,
  }) => {
    const { tenant, login } = credentialsOf(world, "adm");
    await page.goto(`/t/${tenant}/access-review`);
    const own = page.locator("tbody").filter({ hasText: login });
    await expect(own.getByRole("button", { name: /^Remove / }).first()).toBeDisabled();
  });

  test("a key shows the rights that it used, and which uses are not counted", async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "adm");
    const { id } = await createServiceUser(page, tenant, ["portal.qa.mgmt", "portal.order.mgmt"]);
    const validTo = new Date(Date.now() + 86_400_000).toISOString();
    const permissions = ["api-metric.read", "order.manage"];
    const data = { name: "nightly", validTo, permissions };
    const made = await callAs(page, `POST /v1/user/${id}/api-keys`, { tenant, data });
    expect(made.ok(), await made.text()).toBe(true);
    await page.goto(`/t/${tenant}/users/${id}/api-keys`);
    await page.getByRole("button", { name: "Actions for key nightly" }).click();
    await page.getByRole("menuitem", { name: "See rights used" }).click();
    const dialog = page.getByRole("dialog", { name: 'Rights that key "nightly" used' });
    await expect(dialog).toContainText("api-metric.readno call");
    await expect(dialog).toContainText("order.managenot counted here");
    await expectSoundInEveryLook(page);
  });
});
