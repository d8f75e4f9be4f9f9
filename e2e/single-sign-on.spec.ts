import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  openIdentityProvider,
} from "@/lib/features/connections/testing/identity-provider";
import {
  testCertificate,
  testKey,
} from "@/lib/features/destinations/audit-streams/testing/certificate";
import { type Product, startProduct } from "@/lib/server/testing/product";
import { actWhenAwake } from "./support/awake";
import { expectSoundInEveryLook } from "./support/looks";
import { nobody } from "./support/own-tenant";
import { expect, expectAccessible, fillSignIn, test } from "./support/portal";

// Messages from the provider's pages are not ours, and two of the responses are expected errors.
test.use({
  storageState: nobody,
  ignoreHTTPSErrors: true,
  tolerated: [/127\.0\.0\.1|status of 40/],
});

const tenant = "sso-e2e";
const admin = { login: "root", password: "four words in a row" };

let folder: string;
let product: Product;
let provider: IdentityProvider;
let origin: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-sso-"));
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, testCertificate);
  provider = await openIdentityProvider({ key: testKey, cert: testCertificate });
  product = await startProduct(folder, {
    ...{ DATABASE_URL: "", RATE_LIMITS: "off", SMTP_URL: "" },
    ...{ WEBHOOK_NETWORKS: "127.0.0.1", NODE_EXTRA_CA_CERTS: ca },
  });
  origin = product.url.replace("127.0.0.1", "localhost");
});
test.afterAll(async () => {
  await product.stop();
  await provider.close();
  rmSync(folder, { recursive: true });
});

/** A browser of another user, which also waits until a page is interactive. */
async function openElsewhere(browser: Browser) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  await actWhenAwake(context);
  return context;
}

/** Signs in on the pages of the provider, which skips the consent the second time. */
async function signInThere(page: Page, login: string) {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function signUp(page: Page) {
  const person = { name: "Root", emailAddress: "root@shop.example", ...admin };
  const made = await page.request.post(`${origin}/v1/signup`, {
    data: { tenant, site: "shop", ...person },
  });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto(`${origin}/sign-in`);
  await fillSignIn(page, { tenant, ...admin });
  await expect(page).toHaveURL(`${origin}/t/${tenant}`);
}

/** Connects the provider in the settings. Returns the redirect URI. */
async function connect(page: Page) {
  await page.goto(`${origin}/t/${tenant}/settings#connections`);
  await page.getByRole("button", { name: "Connect provider" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a provider" });
  await dialog.getByLabel("Name", { exact: true }).fill("Example Corp");
  await dialog.getByLabel("Issuer").fill(provider.issuer);
  await dialog.getByLabel("Client ID").fill(clientId);
  await dialog.getByLabel("Client secret").fill(clientSecret);
  await dialog.getByLabel("Who signs in").selectOption("on-first-sign-in");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Connect provider" }).click();
  const table = page.getByRole("table", { name: "Identity providers, newest first" });
  await expect(table).toContainText("Disabled");
  await table.getByRole("button", { name: "Edit provider Example Corp" }).click();
  const edited = page.getByRole("dialog", { name: "Edit the provider Example Corp" });
  const redirectUri = (await edited.getByText("/api/auth/callback/").textContent()) ?? "";
  await edited.getByRole("button", { name: "Cancel" }).click();
  return redirectUri;
}

/** Answers the next call for an authenticator app as for a session that is a quarter of an hour old. */
async function ageOnce(page: Page) {
  const offered = await page.request.get(`${origin}/v1/user/sign-in-connections`, {
    headers: { "x-service-tenant": tenant },
  });
  const [connection] = (await offered.json()) as { id: string }[];
  const json = {
    ...{
      name: "Unauthorized",
      code: "auth.step-up-required",
      reason: `${tenant}.${connection?.id}`,
    },
    detail: "Confirm your identity to do this: it was checked too long ago.",
  };
  const isAsked = (url: URL) => url.pathname === "/v1/user/second-factors";
  await page.route(isAsked, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fulfill({ status: 401, json });
    await page.unroute(isAsked);
  });
}

/** A user without a password signs in at the provider again for a sensitive change. */
async function confirmThere(page: Page) {
  await ageOnce(page);
  await page.goto(`${origin}/t/${tenant}/me`);
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("work phone");
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("dialog", { name: "Confirm your identity" })).toBeVisible();
  await expectAccessible(page);
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Sign in again with Example Corp" }).click();
  const opened = await opening;
  await opened.getByPlaceholder("Enter any login").fill("ada");
  await opened.getByPlaceholder("and password").fill("any");
  await opened.getByRole("button", { name: "Sign-in" }).click();
  const shown = page.getByRole("dialog", { name: "Scan the code with your app" });
  await expect(shown).toBeVisible();
  await page.keyboard.press("Escape");
}

async function signOutThere(page: Page) {
  await page.goto(`${origin}/t/${tenant}`);
  await page.getByRole("button", { name: "account and settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out here and at Example Corp" }).click();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(page).toHaveURL(new RegExp(`^${origin}/sign-in`));
}

test("an administrator connects a provider, tests it and enables it; users sign in with it, confirm their identity, sign out there, and link it", async ({
  page,
  browser,
}) => {
  await signUp(page);
  const redirectUri = await connect(page);
  const someone = { email_verified: true, name: "Some One" };
  provider.serve({
    redirectUris: [redirectUri],
    accounts: {
      ada: { preferred_username: "ada", email: "ada@shop.example", ...someone },
      root: { preferred_username: "root", email: "root@shop.example", ...someone },
      cy: { preferred_username: "cy", ...someone },
    },
  });
  // A test while it is disabled changes nothing.
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Try provider Example Corp" }).click();
  const tried = await opening;
  await signInThere(tried, "ada");
  await expect(
    tried.getByText("A new user would be created: ada, ada@shop.example."),
  ).toBeVisible();
  await expect(tried.getByText("preferred_username")).toBeVisible();
  await expectSoundInEveryLook(tried);
  await tried.close();
  await page.getByRole("button", { name: "Edit provider Example Corp" }).click();
  await page.getByLabel("Show it on the sign-in page").check();
  await page.getByRole("button", { name: "Save provider" }).click();
  await expect(page.getByRole("table", { name: "Identity providers" })).toContainText("Enabled");
  await expectAccessible(page);

  // A new user signs in by one key press once the tenant is known.
  const other = await openElsewhere(browser);
  const ada = await other.newPage();
  await ada.goto(`${origin}/sign-in`);
  await ada.getByLabel("Tenant").fill(tenant);
  await ada.keyboard.press("Tab");
  await expect(ada.getByRole("button", { name: "Sign in with Example Corp" })).toBeVisible();
  await ada.goto(`${origin}/sign-in?tenant=${tenant}`);
  await expectSoundInEveryLook(ada);
  await ada.getByRole("button", { name: "Sign in with Example Corp" }).press("Enter");
  await signInThere(ada, "ada");
  await expect(ada).toHaveURL(`${origin}/t/${tenant}`);
  await ada.goto(`${origin}/t/${tenant}/me#linked-providers`);
  await expect(ada.getByRole("table", { name: "Your linked providers" })).toContainText("ada");
  await confirmThere(ada);
  await signOutThere(ada);
  await other.close();

  // An existing account is not adopted; its user links the provider on their page.
  const third = await openElsewhere(browser);
  const root = await third.newPage();
  await root.goto(`${origin}/sign-in?tenant=${tenant}`);
  await root.getByRole("button", { name: "Sign in with Example Corp" }).click();
  await signInThere(root, "root");
  await expect(root.getByText("There is an account with your login already")).toBeVisible();
  await expect(root.getByText("What an administrator can do")).toBeVisible();
  await expect(root.getByRole("button", { name: "Copy request id" })).toBeVisible();
  await expectSoundInEveryLook(root);
  await root.getByRole("link", { name: "Back to the sign-in page" }).click();
  await fillSignIn(root, { tenant, ...admin });
  await expect(root).toHaveURL(`${origin}/t/${tenant}`);
  await root.goto(`${origin}/t/${tenant}/me#linked-providers`);
  await root.getByRole("button", { name: "Link Example Corp" }).click();
  await expect(root.getByRole("table", { name: "Your linked providers" })).toContainText("root");
  await third.close();

  // A missing claim is named.
  const fourth = await openElsewhere(browser);
  const cy = await fourth.newPage();
  await cy.goto(`${origin}/sign-in?tenant=${tenant}`);
  await cy.getByRole("button", { name: "Sign in with Example Corp" }).click();
  await signInThere(cy, "cy");
  await expect(cy.getByText("The claim email is missing.")).toBeVisible();
  await fourth.close();
});
