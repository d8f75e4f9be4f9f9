import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";
import { createServiceUser } from "./support/service-calls";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

test("roles are searched, copied from a user, and included in an administrator's", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { id } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users/${id}/access`);
  await page.getByLabel("Search roles").fill("audit trail");
  await expect(page.getByText("1 of 24 roles")).toBeVisible();
  await page.getByLabel("Search roles").fill("");
  await page.getByRole("button", { name: "Copy roles from…" }).click();
  const dialog = page.getByRole("dialog", { name: "Copy roles from a user" });
  await dialog.getByLabel("Login").fill(credentialsOf(world, "um").login);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Copy roles" }).click();
  await expect(
    page.getByRole("checkbox", { name: "Portals Users Management in the whole tenant" }),
  ).toBeChecked();
  await page.getByRole("checkbox", { name: "Tenant Administrator in the whole tenant" }).check();
  const row = page.getByRole("row", { name: /Catalog Management/ });
  await expect(row).toContainText("Whole tenant: by Tenant Administrator");
  await expect(row.getByRole("checkbox")).toHaveCount(0);
  await page.getByLabel("Granted only").check();
  await expect(row).toBeHidden();
  await expectAccessible(page);
});
