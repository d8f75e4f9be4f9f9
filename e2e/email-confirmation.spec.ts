import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { ReceivedMail } from "@/lib/features/mail/testing/smtp-server";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { expect, test } from "./support/portal";
import { makeSandbox, password, type Sandbox, unique } from "./support/sent-forms";

const nobody = { cookies: [], origins: [] };
const address = () => `${unique("ada")}@mail.harbour.dev`;

/** The path with the token that was mailed to the address. */
async function mailedPath(emailAddress: string): Promise<string> {
  const file = join(process.env.E2E_FOLDER ?? "", "mails.jsonl");
  const find = () => {
    // The last line may not be complete yet.
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    const mails = lines.map((line): ReceivedMail => JSON.parse(line));
    const mail = mails.find(({ to }) => to.includes(emailAddress));
    return /\/confirm-email\/[\w-]+#token=\w+/.exec(mail?.text ?? "")?.[0];
  };
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

/** Whether the address of the sandbox's administrator is confirmed. */
async function isConfirmed({ request }: BrowserContext, { tenant, login }: Sandbox) {
  const headers = { "X-Service-Tenant": tenant };
  const data = { tenant, login, password };
  const { sessionId } = await (
    await request.post("/v1/user/session-login", { headers, data })
  ).json();
  const signedIn = { ...headers, "X-Service-Session-Id": sessionId };
  const profile = await request.get("/v1/user/profile", { headers: signedIn });
  return (await profile.json()).emailConfirmed;
}

async function signIn(page: Page, { tenant, login }: Sandbox): Promise<void> {
  await page.goto(`/sign-in?tenant=${tenant}`);
  await page.getByLabel("Login").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
}

const open = (browser: Browser, javaScriptEnabled: boolean) =>
  browser.newContext({
    baseURL: process.env.E2E_BASE_URL ?? "",
    storageState: nobody,
    javaScriptEnabled,
  });

test.use(firstLook);
// The status for a link that was already used.
test.use({ tolerated: [/status of 401/] });
test.use({ storageState: nobody });

test("a mailed link confirms the address when the user presses the button, not when it is opened", async ({
  page,
  context,
}) => {
  const emailAddress = address();
  const sandbox = await makeSandbox(context, emailAddress);
  const path = await mailedPath(emailAddress);
  await page.goto(path, { waitUntil: "networkidle" });
  await expect(page.getByRole("button", { name: "Confirm address" })).toBeVisible();
  await expectSoundInEveryLook(page);
  expect(await isConfirmed(context, sandbox)).toBe(false);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(
    page.getByRole("heading", { name: "Your e-mail address is confirmed" }),
  ).toBeVisible();
  await expectSoundInEveryLook(page);
  expect(await isConfirmed(context, sandbox)).toBe(true);
  await page.goto(path);
  await page.reload();
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "The address was not confirmed",
  );
  await signIn(page, sandbox);
  await page.goto(`/t/${sandbox.tenant}/me`);
  await expect(page.getByText(emailAddress)).toBeVisible();
  await expect(page.getByText("Not confirmed")).toHaveCount(0);
});

test("without scripts the pasted link confirms the address", async ({ browser }) => {
  const context = await open(browser, false);
  const page = await context.newPage();
  const emailAddress = address();
  const sandbox = await makeSandbox(context, emailAddress);
  const path = await mailedPath(emailAddress);
  const link = page.locator("input[name=link]");
  await page.goto(path);
  await link.fill("#token=svl_nothing");
  await link.press("Enter");
  await expect(page.getByRole("alert")).toContainText("The address was not confirmed");
  expect(await isConfirmed(context, sandbox)).toBe(false);
  await link.fill(`${process.env.E2E_BASE_URL}${path}`);
  await link.press("Enter");
  await expect(
    page.getByRole("heading", { name: "Your e-mail address is confirmed" }),
  ).toBeVisible();
  expect(await isConfirmed(context, sandbox)).toBe(true);
  await context.close();
});

test("the user's page shows that the address is not confirmed, and requests another link", async ({
  page,
  context,
}) => {
  const sandbox = await makeSandbox(context);
  await signIn(page, sandbox);
  await page.goto(`/t/${sandbox.tenant}/me`, { waitUntil: "networkidle" });
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await page.getByRole("button", { name: "Mail me a link to confirm" }).click();
  await expect(page.getByText("A link is on its way")).toBeVisible();
  await expectSoundInEveryLook(page);
});
