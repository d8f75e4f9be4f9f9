import type { Page } from "@playwright/test";
import { atRest } from "./support/at-rest";
import { enterOwnTenant, nobody } from "./support/own-tenant";
import { expect, expectAccessible, test } from "./support/portal";

test.use({ storageState: nobody, tolerated: [/status of 40[013]/] });

/** Chromium's virtual authenticator, with discoverable passkeys and a user who is always verified. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setPresent: (enabled: boolean) =>
      session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    passkeys: async () =>
      (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}

/** Adds a passkey on the user's page. */
async function addPasskey(page: Page, tenant: string) {
  await page.goto(`/t/${tenant}/me`);
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add passkey" });
  await dialog.getByLabel("Name").fill("work laptop");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const shown = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(shown.getByRole("listitem")).toHaveCount(10);
  await shown.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByRole("row", { name: /work laptop Passkey/ })).toBeVisible();
}

test("a person adds a passkey, signs in with it by one click, and removes it", async ({ page }) => {
  const tenant = await enterOwnTenant(page, "passkey");
  const device = await addAuthenticator(page);
  await addPasskey(page, tenant);
  const [made] = await device.passkeys();
  expect(made).toMatchObject({ isResidentCredential: true, rpId: new URL(page.url()).hostname });

  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add passkey" });
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("You have a passkey there already.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  // The authenticator gets no user presence, because the browser's automatic offer would sign in at once.
  await device.setPresent(false);
  await page.context().clearCookies();
  await page.goto(`/sign-in?tenant=${tenant}`);
  await expect(page.getByLabel("Login")).toHaveAttribute("autocomplete", "username webauthn");
  await expectAccessible(page);
  await device.setPresent(true);
  await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));

  await page.goto(`/t/${tenant}/me`);
  await page.getByRole("button", { name: "Remove second factor work laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Your password alone signs you in", { exact: false })).toBeVisible();

  // If the tenant does not allow passkeys, the sign-in page does not offer them. All by the keyboard.
  await page.evaluate(async (named) => {
    const headers = { "Content-Type": "application/json", "X-Service-Tenant": named };
    const body = JSON.stringify({ signIn: { passkeys: "off" } });
    await fetch("/v1/tenant/security-policy", { method: "PUT", headers, body });
  }, tenant);
  await page.context().clearCookies();
  await page.goto(`/sign-in?tenant=${tenant}`);
  await atRest(page);
  const login = page.getByLabel("Login");
  await expect(login).toHaveAttribute("autocomplete", "username");
  await expect(page.getByRole("button", { name: "Use a passkey" })).toHaveCount(0);
  await expect(login).toBeFocused();
  await page.keyboard.type("ada");
  await page.keyboard.press("Tab");
  await page.keyboard.type("four words in a row");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
});

test("a passkey that the browser fills in signs in without a click on the page", async ({
  page,
}) => {
  const tenant = await enterOwnTenant(page, "passkey-autofill");
  await addAuthenticator(page);
  await addPasskey(page, tenant);
  await page.context().clearCookies();
  await page.goto(`/sign-in?tenant=${tenant}`);
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
});

test("a passkey is the second step after the password", async ({ page }) => {
  const tenant = await enterOwnTenant(page, "passkey-second");
  const device = await addAuthenticator(page);
  await addPasskey(page, tenant);
  await device.setPresent(false);
  await page.context().clearCookies();
  await page.goto(`/sign-in?tenant=${tenant}`);
  await page.getByLabel("Login").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill("four words in a row");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
  await device.setPresent(true);
  await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
});

test("a passkey confirms the identity over a form, and nothing typed is lost", async ({ page }) => {
  const tenant = await enterOwnTenant(page, "passkey-step-up");
  await addAuthenticator(page);
  await addPasskey(page, tenant);
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
        reason: "passkey",
      },
    });
  });
  await page.getByRole("button", { name: "Generate key" }).click();
  await page.getByLabel("Name").fill("typed before");
  await page.getByRole("dialog").getByRole("button", { name: "Generate key" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
  await expect(dialog.getByText("Your browser asks for your passkey.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText('Key "typed before" is ready')).toBeVisible();
});
