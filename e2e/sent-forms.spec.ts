import type { Browser, Page } from "@playwright/test";
import { expect, test } from "./support/portal";
import {
  handOffLink,
  invitationLink,
  makeSandbox,
  nextPassword,
  oneTimePassword,
  password,
  resetLink,
  unique,
  watchAddresses,
} from "./support/sent-forms";

/** Tests every public form in a separate browser, without waiting for the page's scripts. */
async function open(browser: Browser, javaScriptEnabled: boolean) {
  const context = await browser.newContext({
    baseURL: process.env.E2E_BASE_URL ?? "",
    storageState: { cookies: [], origins: [] },
    javaScriptEnabled,
  });
  const page = await context.newPage();
  return { context, page, expectNone: await watchAddresses(page) };
}

async function openSlowly(browser: Browser) {
  const opened = await open(browser, true);
  const network = await opened.context.newCDPSession(opened.page);
  await network.send("Network.enable");
  const throughput = 50 * 1024;
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  return opened;
}

const asked = { waitUntil: "commit" } as const;
const field = (page: Page, name: string) => page.locator(`input[name="${name}"]`);

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value);
}

/** Fills the fields and submits with Enter in the last one, as soon as it exists. */
async function sendForm(page: Page, values: Record<string, string>): Promise<void> {
  await fill(page, values);
  await field(page, Object.keys(values).at(-1) ?? "").press("Enter");
}

const home = (tenant: string) => new RegExp(`/t/${tenant}$`);

test.describe("without scripts", () => {
  test("sign-in shows errors, keeps the login, and leads to the portal", async ({ browser }) => {
    const { context, page, expectNone } = await open(browser, false);
    const { tenant, login } = await makeSandbox(context);
    await page.goto("/sign-in");
    await sendForm(page, { tenant, login, password: nextPassword });
    await expect(page.getByRole("alert")).toContainText("Incorrect tenant, login or password");
    await expect(page).toHaveURL(/\/sign-in$/);
    await expect(field(page, "login")).toHaveValue(login);
    await expect(field(page, "password")).toHaveValue("");
    await sendForm(page, { password });
    await expect(page).toHaveURL(home(tenant));
    await expectNone([login, password, nextPassword]);
    await context.close();
  });

  test("a one-time password is changed", async ({ browser }) => {
    const { context, page, expectNone } = await open(browser, false);
    const sandbox = await makeSandbox(context);
    const { tenant, login } = sandbox;
    const current = oneTimePassword(sandbox);
    await page.goto(`/sign-in?tenant=${tenant}`);
    await sendForm(page, { login, password: current });
    await expect(page.getByRole("heading", { name: "Set your own password" })).toBeVisible();
    await sendForm(page, { current: "wrong", password: nextPassword });
    await expect(page.getByRole("heading", { name: "Set your own password" })).toBeVisible();
    await expect(field(page, "password")).toHaveValue("");
    await sendForm(page, { current, password: nextPassword });
    await expect(page).toHaveURL(home(tenant));
    await expectNone([login, current, nextPassword]);
    await context.close();
  });

  test("sign-up shows errors, keeps the fields, and leads to the sandbox", async ({ browser }) => {
    const { context, page, expectNone } = await open(browser, false);
    const taken = await makeSandbox(context);
    const [tenant, login] = [unique("own"), unique("bob")];
    const values = {
      site: "shop",
      name: unique("Bob"),
      emailAddress: `${login}@example.com`,
      login,
    };
    await page.goto("/sign-up");
    await sendForm(page, { tenant: taken.tenant, ...values, password });
    await expect(page.getByText(/There is a tenant .* already/)).toBeVisible();
    for (const [name, value] of Object.entries(values))
      await expect(field(page, name)).toHaveValue(value);
    await sendForm(page, { tenant, password });
    await expect(page).toHaveURL(home(tenant));
    await expectNone([...Object.values(values).slice(1), password]);
    await context.close();
  });

  test("a link to set a password is requested", async ({ browser }) => {
    const { context, page, expectNone } = await open(browser, false);
    const { tenant, login } = await makeSandbox(context);
    await page.goto("/forgot-password");
    await sendForm(page, { tenant, login });
    await expect(page.getByText("Check your mail")).toBeVisible();
    await expectNone([login]);
    await context.close();
  });

  test("an invitation is accepted, and a password reset, by the pasted link", async ({
    browser,
  }) => {
    const { context, page, expectNone } = await open(browser, false);
    const sandbox = await makeSandbox(context);
    const { tenant } = sandbox;
    const invitation = await invitationLink(sandbox);
    await page.goto(`/invite/${tenant}`);
    await sendForm(page, { link: invitation.link, password });
    await expect(page).toHaveURL(home(tenant));
    const reset = await resetLink(sandbox, invitation.userId);
    await page.goto(`/reset-password/${tenant}`);
    await sendForm(page, { link: "#token=svx_nothing", password: nextPassword });
    await expect(page.getByRole("alert")).toContainText("The password was not set");
    await sendForm(page, { link: reset.link, password: nextPassword });
    await expect(page).toHaveURL(`/sign-in?tenant=${tenant}`);
    await sendForm(page, { login: invitation.login, password: nextPassword });
    await expect(page).toHaveURL(home(tenant));
    const { token } = invitation;
    await expectNone([token, reset.token, invitation.login, password, nextPassword]);
    await context.close();
  });

  test("a handed off secret is shown once, by the pasted link", async ({ browser }) => {
    const { context, page, expectNone } = await open(browser, false);
    const sandbox = await makeSandbox(context);
    const handOff = await handOffLink(sandbox);
    await page.goto(`/hand-off/${sandbox.tenant}`);
    await sendForm(page, { link: `#token=${handOff.token}` });
    await expect(field(page, "link")).toHaveAttribute("aria-invalid", "true");
    await sendForm(page, { link: handOff.link });
    await expect(page.getByText(handOff.apiKey)).toBeVisible();
    await page.goto(`/hand-off/${sandbox.tenant}`);
    await sendForm(page, { link: handOff.link });
    // Other locators do not find text within <noscript>.
    const within = () => page.locator("noscript").first().innerHTML();
    await expect.poll(within).toContain("This link no longer works");
    await expectNone([handOff.token, handOff.key, handOff.apiKey]);
    await context.close();
  });
});

test.describe("at 50 KB/s, submitted before the scripts are loaded", () => {
  test("sign-in leads to the portal", async ({ browser }) => {
    const { context, page, expectNone } = await openSlowly(browser);
    const { tenant, login } = await makeSandbox(context);
    await page.goto("/sign-in", asked);
    await sendForm(page, { tenant, login, password });
    await expect(page).toHaveURL(home(tenant));
    await expectNone([login, password]);
    await context.close();
  });

  test("a one-time password is replaced", async ({ browser }) => {
    const { context, page, expectNone } = await openSlowly(browser);
    const sandbox = await makeSandbox(context);
    const { tenant, login } = sandbox;
    const current = oneTimePassword(sandbox);
    await page.goto("/sign-in", asked);
    await sendForm(page, { tenant, login, password: current });
    await expect(page.getByLabel("New password")).toBeVisible();
    // If the page's scripts handled it, the form does not ask for it again.
    if ((await field(page, "current").count()) > 0) await fill(page, { current });
    await sendForm(page, { password: nextPassword });
    await expect(page).toHaveURL(home(tenant));
    await expectNone([login, current, nextPassword]);
    await context.close();
  });

  test("sign-up leads to the sandbox", async ({ browser }) => {
    const { context, page, expectNone } = await openSlowly(browser);
    const [tenant, login] = [unique("own"), unique("eve")];
    const emailAddress = `${login}@example.com`;
    await page.goto("/sign-up", asked);
    await sendForm(page, { tenant, site: "shop", name: "Eve", emailAddress, login, password });
    await expect(page).toHaveURL(home(tenant));
    await expectNone([login, password]);
    await context.close();
  });

  test("a link to set a password is requested", async ({ browser }) => {
    const { context, page, expectNone } = await openSlowly(browser);
    const { tenant, login } = await makeSandbox(context);
    await page.goto("/forgot-password", asked);
    await sendForm(page, { tenant, login });
    await expect(page.getByText("Check your mail")).toBeVisible();
    await expectNone([login]);
    await context.close();
  });

  test("links are read from the address, and no form contains them before", async ({ browser }) => {
    const { context, page, expectNone } = await openSlowly(browser);
    const sandbox = await makeSandbox(context);
    const invitation = await invitationLink(sandbox);
    await page.goto(invitation.link, asked);
    await sendForm(page, { password });
    await expect(page).toHaveURL(home(sandbox.tenant));
    const reset = await resetLink(sandbox, invitation.userId);
    await page.goto(reset.link, asked);
    await sendForm(page, { password: nextPassword });
    await expect(page).toHaveURL(/\/sign-in\?tenant=/);
    await expectNone([invitation.login, password, nextPassword]);
    await context.close();
  });

  test("a handed off secret is shown", async ({ browser }) => {
    const { context, page } = await openSlowly(browser);
    const { link, apiKey } = await handOffLink(await makeSandbox(context));
    await page.goto(link, asked);
    await page.getByRole("button", { name: "Show secret" }).click();
    await expect(page.getByText(apiKey)).toBeVisible();
    await context.close();
  });
});
