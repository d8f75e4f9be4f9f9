import type { Locator, Page } from "@playwright/test";
import { atRest } from "./support/at-rest";
import { makeOwnTenant, nobody } from "./support/own-tenant";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

interface DialogForm {
  name: string;
  path: string;
  button: string;
  field: string | RegExp;
  /** Opens the form's page other than by its address. */
  open?: (page: Page) => Promise<void>;
  /** Whether the address has its open state, so that it opens again after a reload. */
  isInAddress?: boolean;
}

const openFirstUser = async (page: Page) => {
  await page.locator("[data-row]").first().click();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toBeVisible();
};

const forms: DialogForm[] = [
  { name: "an invitation", path: "/users", button: "Invite user", field: "Login" },
  {
    name: "a lock",
    path: "/users?q=low",
    button: "Lock",
    field: "Reason",
    open: openFirstUser,
  },
  { name: "a site", path: "/settings", button: "Add site", field: "Allowed origins" },
  { name: "a preview", path: "/sites/a-one/previews", button: "Create preview", field: "Title" },
  {
    name: "an API key",
    path: "/me",
    button: "Generate key",
    field: "Name",
    isInAddress: true,
  },
  { name: "a webhook", path: "/webhooks", button: "Create webhook", field: "URL" },
  { name: "an audit stream", path: "/streams", button: "Create stream", field: "Description" },
  { name: "a customer", path: "/sites/a-one/customers", button: "Create customer", field: "Login" },
];

const typed = "https://typed.example";

for (const { name, path, button, field, open, isInAddress } of forms)
  test(`text typed for ${name} is cleared only by the Cancel button`, async ({ page, world }) => {
    const dialog = page.getByRole("dialog");
    const input: Locator = dialog.getByLabel(field, { exact: true });
    const start = async () => {
      await page.getByRole("button", { name: button, exact: true }).first().click();
      await expect(dialog).toBeVisible();
    };
    await page.goto(`/t/${credentialsOf(world, "adm").tenant}${path}`);
    await open?.(page);
    await start();
    await expect(dialog.getByText("Draft kept")).toBeHidden();
    await input.fill(typed);
    await expect(dialog.getByText("Draft kept")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await start();
    await expect(input, "after Esc").toHaveValue(typed);
    await atRest(page);
    await page.mouse.click(5, 5);
    await expect(dialog).toBeHidden();
    await start();
    await expect(input, "after a click outside").toHaveValue(typed);
    await page.reload();
    if (!isInAddress) await start();
    await expect(input, "after a reload").toHaveValue(typed);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await start();
    await expect(input, "after Cancel").toHaveValue("");
  });

test.describe("without a session", () => {
  test.use({ storageState: nobody });

  test("changes to the security policy survive a visit to another page, and Discard drops them", async ({
    page,
  }) => {
    await page.goto(`/t/${await makeOwnTenant(page, "policy")}/settings#security`);
    const idle = page.getByLabel("Idle timeout", { exact: true });
    const before = await idle.inputValue();
    const policy = page.locator("#security");
    const registration = page.getByLabel("Shoppers may register themselves");
    await idle.fill("7");
    const checked = !(await registration.isChecked());
    await registration.click();
    const menu = page.getByRole("navigation", { name: "Main" });
    await menu.getByRole("link", { name: "Users" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Users" })).toBeVisible();
    await menu.getByRole("link", { name: "Settings" }).click();
    await expect(idle).toHaveValue("7");
    await expect(registration).toBeChecked({ checked });
    await policy.getByRole("button", { name: "Discard" }).click();
    await expect(idle).toHaveValue(before);
    await expect(policy.getByText("Draft kept")).toBeHidden();
    await page.reload();
    await expect(idle).toHaveValue(before);
  });

  test("the fields of a sign-up survive a reload, except the password", async ({ page }) => {
    await page.goto("/sign-up");
    await page.getByLabel("Tenant id").fill("harbour");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery staple");
    await page.reload();
    await expect(page.getByLabel("Tenant id")).toHaveValue("harbour");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("horse");
  });
});
