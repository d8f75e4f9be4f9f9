import type { Page } from "@playwright/test";
import { readIn } from "./support/languages";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use(firstLook);

const actions = (page: Page) => page.getByRole("button", { name: "More actions" }).click();

test.describe("a manager of users, for a user with more rights", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("um")) });

  test("sees why a reset link and a new e-mail address are not possible", async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "um");
    await page.goto(`/t/${tenant}/users/${world.users.care?.id}`, { waitUntil: "networkidle" });
    await actions(page);
    const link = page.getByRole("menuitem", { name: "Create a password reset link" });
    await expect(link).toHaveAttribute("aria-disabled", "true");
    await expect(link).toContainText("This user may do what you may not (customer.");
    await expectSoundInEveryLook(page);
    await page.getByRole("menuitem", { name: "Edit name and e-mail" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Name")).toBeEnabled();
    await expect(dialog.getByLabel("E-mail address")).toBeDisabled();
    await expect(dialog).toContainText("This user may do what you may not (customer.");
    await expectSoundInEveryLook(page);
    await page.goto(`/t/${tenant}/users/${world.users.care?.id}?do=link`);
    await expect(page.getByRole("button", { name: "More actions" })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("sees the reason in German", async ({ page, world, context, baseURL }) => {
    const { tenant } = credentialsOf(world, "um");
    await readIn(context, "de", baseURL);
    await page.goto(`/t/${tenant}/users/${world.users.care?.id}`, { waitUntil: "networkidle" });
    await page.getByRole("button", { name: "Weitere Aktionen" }).click();
    await expect(page.getByRole("menu")).toContainText("darf, was Sie nicht dürfen (customer.");
  });
});

test.describe("an administrator", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  test("can do both", async ({ page, world }) => {
    const { tenant } = credentialsOf(world, "adm");
    await page.goto(`/t/${tenant}/users/${world.users.care?.id}`, { waitUntil: "networkidle" });
    await actions(page);
    const link = page.getByRole("menuitem", { name: "Create a password reset link" });
    await expect(link).not.toHaveAttribute("aria-disabled", "true");
    await page.getByRole("menuitem", { name: "Edit name and e-mail" }).click();
    await expect(page.getByRole("dialog").getByLabel("E-mail address")).toBeEnabled();
  });
});
