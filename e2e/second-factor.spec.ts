import type { Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { actWhenAwake } from "./support/awake";
import { enterOwnTenant, nobody } from "./support/own-tenant";
import { expect, expectAccessible, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use({ storageState: nobody, tolerated: [/status of 40[013]/] });

const password = "four words in a row";
const codeOf = (secret: string, stepsAhead: number) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });

/** Sets up an authenticator app on the user's page. Returns its secret and the recovery codes. */
async function setUp(page: Page, tenant: string) {
  await page.goto(`/t/${tenant}/me`);
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("work phone");
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
  const dialog = page.getByRole("dialog", { name: "Scan the code with your app" });
  await expect(dialog.getByRole("img", { name: "QR code of the secret" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText("The code is not right.", { exact: false })).toBeVisible();
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret, 0));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const shown = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(shown.getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page);
  const recoveryCodes = await shown.getByRole("listitem").allTextContents();
  await shown.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByRole("table", { name: "Your second factors" })).toContainText(
    "work phone",
  );
  return { secret, recoveryCodes };
}

/** Uses the keyboard only, as all sign-ins in this file do. */
async function enterPassword(page: Page, tenant: string) {
  await page.getByLabel("Tenant").fill(tenant);
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Login")).toBeFocused();
  await page.keyboard.type("ada");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

const code = (page: Page) => page.getByLabel("Code", { exact: true });

test("a user sets up an app, signs in with its code and with a recovery code, and removes it", async ({
  page,
}) => {
  const tenant = await enterOwnTenant(page, "second-factor");
  const { secret, recoveryCodes } = await setUp(page, tenant);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  const answered = page.waitForResponse("**/api/auth/callback/credentials");
  await enterPassword(page, tenant);
  await expect(code(page)).toBeFocused();
  // The challenge is in no address, also not in the one that next-auth returns.
  expect(await (await answered).text()).not.toContain("svf_");
  const kept = (await page.context().cookies()).filter(({ value }) => value.startsWith("svf_"));
  expect(kept).toMatchObject([{ httpOnly: true, sameSite: "Lax" }]);
  await expectAccessible(page);
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Incorrect code")).toBeVisible();
  await code(page).fill(codeOf(secret, 1));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));

  await page.context().clearCookies();
  await page.goto(`/sign-in?next=/t/${tenant}/me`);
  await enterPassword(page, tenant);
  await page.getByRole("button", { name: "Use a recovery code" }).press("Enter");
  await expect(page.getByLabel("Recovery code", { exact: true })).toBeFocused();
  await page.keyboard.type(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(page.getByText("9 recovery codes left")).toBeVisible();

  await page.getByRole("button", { name: "Remove second factor work phone" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Your password alone signs you in", { exact: false })).toBeVisible();
});

test("if the tenant requires one, a user without one sets it up at sign-in and gets recovery codes", async ({
  page,
}) => {
  const tenant = await enterOwnTenant(page, "required-factor");
  const policy = { secondFactor: "everybody" };
  await callAs(page, "PUT /v1/tenant/security-policy", { tenant, data: policy });
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await enterPassword(page, tenant);
  await expect(page.getByRole("heading", { name: "Set up a second factor" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  await code(page).fill("000000");
  await page.getByRole("button", { name: "Set up and sign in" }).click();
  await expect(page.getByText("The second factor was not set up")).toBeVisible();
  await code(page).fill(codeOf(secret, 0));
  await page.getByRole("button", { name: "Set up and sign in" }).click();
  await expect(page.getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page);
  await page.getByText("I have kept them").click();
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("the second step is a form too", async ({ page, browser }) => {
    const scripted = await browser.newContext({ javaScriptEnabled: true });
    await actWhenAwake(scripted);
    const other = await scripted.newPage();
    const tenant = await enterOwnTenant(other, "second-factor-plain");
    const { secret } = await setUp(other, tenant);
    await scripted.close();
    await page.goto("/sign-in");
    // The browser sets the focus by itself, shortly after the page has loaded.
    await expect(page.getByLabel("Tenant")).toBeFocused();
    await enterPassword(page, tenant);
    await expect(code(page)).toBeFocused();
    await code(page).fill("000000");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Incorrect code")).toBeVisible();
    await expect(code(page)).toBeFocused();
    await code(page).fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
  });
});
