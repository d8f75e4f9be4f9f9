import { enterOwnTenant, nobody } from "./support/own-tenant";
import { expect, expectAccessible, test } from "./support/portal";

test.use({ storageState: nobody, tolerated: [/status of 40[01]/] });

test("a sensitive change asks for the password in a dialog over the form, and is then saved as typed", async ({
  page,
}) => {
  const tenant = await enterOwnTenant(page, "step-up");
  await page.goto(`/t/${tenant}/me`);
  let isProven = false;
  // The session is new, so the first response is replaced by the one for an old session.
  await page.route("**/v1/user/profile/api-keys", async (route) => {
    if (isProven || route.request().method() !== "POST") return route.fallback();
    isProven = true;
    await route.fulfill({
      status: 401,
      json: {
        name: "AuthenticationError",
        code: "auth.step-up-required",
        detail: "Confirm your identity to do this: it was checked too long ago.",
        reason: "password",
      },
    });
  });
  await page.getByRole("button", { name: "Generate key" }).click();
  await page.getByLabel("Name").fill("typed before");
  await page.getByRole("dialog").getByRole("button", { name: "Generate key" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Password", { exact: true }).fill("something else");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText("The password is not right.")).toBeVisible();
  await dialog.getByLabel("Password", { exact: true }).fill("four words in a row");
  await page.keyboard.press("Enter");
  await expect(page.getByText('Key "typed before" is ready')).toBeVisible();
});
