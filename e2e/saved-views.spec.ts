import { atRest } from "./support/at-rest";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { enterOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";

test.use(firstLook);

test("filters and columns are saved, shared, made the default, renamed and deleted", async ({
  page,
}) => {
  // While it is the default, the page of users opens with it in every test of the same user.
  const tenant = await enterOwnTenant(page, "views");
  const name = `Locked ${Date.now()}`;
  const users = `/t/${tenant}/users`;
  const menu = () => page.getByRole("button", { name: /^(View: .*|Views)$/ });
  const choose = async (item: string | RegExp) => {
    await menu().click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await page.goto(users, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Locked" }).click();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "E-mail" }).click();
  await page.keyboard.press("Escape");
  await choose("Save as view");
  const dialog = page.getByRole("dialog", { name: "Save as view" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Share it with everyone").check();
  await dialog.getByLabel("Open this page with it").check();
  await expectSoundInEveryLook(page);
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();

  await page.goto(users, { waitUntil: "networkidle" });
  await expect(page).toHaveURL(/lock=true/);
  await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "E-mail" })).toBeHidden();
  await page.getByRole("button", { name: "Locked", exact: true }).click();
  await expect(menu()).toHaveAccessibleName("Views");
  await menu().click();
  await expectAccessible(page);
  await page.getByRole("menuitemcheckbox", { name: `${name} (default)` }).click();
  await expect(page.getByRole("button", { name: "Locked", pressed: true })).toBeVisible();

  await choose("Do not open by default");
  await expect(page.getByText("is no default now")).toBeVisible();
  await choose("Rename view");
  await page.getByRole("dialog").getByLabel("Name").fill(`${name} b`);
  await page.getByRole("dialog").getByRole("button", { name: "Rename view" }).click();
  await expect(page.getByRole("button", { name: `View: ${name} b` })).toBeVisible();
  await choose("Delete view");
  await page.getByRole("dialog").getByRole("button", { name: "Delete view" }).click();
  await expect(menu()).toHaveAccessibleName("Views");
  await page.goto(users, { waitUntil: "networkidle" });
  await expect(page).toHaveURL(new RegExp(`${users}$`));
});

test.describe("an administrator", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  test("a change of an applied view is saved to it, on the requests page too", async ({
    page,
    world,
  }) => {
    const name = `Server errors ${Date.now()}`;
    const path = `/t/${credentialsOf(world, "adm").tenant}/requests`;
    await page.goto(path, { waitUntil: "networkidle" });
    await page.getByRole("button", { name: "Server errors (5xx)" }).click();
    await expect(page).toHaveURL(/outcome=server/);
    await atRest(page);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: "Save as view" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
    await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();
    await page.getByRole("button", { name: "Any outcome" }).click();
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: `Save changes to "${name}"` }).click();
    await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();
    await page.goto(path, { waitUntil: "networkidle" });
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name }).click();
    await expect(page).toHaveURL(/outcome=all/);
  });
});
