import { type Browser, request as outside, type Page } from "@playwright/test";
import { actWhenAwake } from "./support/awake";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { makeOwnTenant, nobody } from "./support/own-tenant";
import { expect, test } from "./support/portal";
import { readSecret, secret } from "./support/secrets";

test.use(firstLook);
// The page of a user shows only the newest keys: tests that sign in as the same user would displace them.
test.use({ storageState: nobody });

/** Generates a key and keeps the dialog that shows it open. */
async function generateKey(page: Page, tenant: string, name: string) {
  await page.goto(`/t/${tenant}/me?generate=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Generate key" }).click();
  return { dialog, apiKey: await readSecret(dialog) };
}

type Dialog = Awaited<ReturnType<typeof generateKey>>["dialog"];

async function createLink(dialog: Dialog): Promise<string> {
  await dialog.getByRole("button", { name: "Create hand-off link" }).click();
  await dialog.getByText("1 hour", { exact: true }).click();
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(dialog.getByText(/^It opens once, until/)).toBeVisible();
  return (await dialog.locator("code", { hasText: "#token=" }).textContent()) ?? "";
}

/** Opens the link in a browser without a session. */
async function visit(browser: Browser, link: string): Promise<Page> {
  const elsewhere = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  await actWhenAwake(elsewhere);
  await elsewhere.addInitScript(noteAddresses);
  const page = await elsewhere.newPage();
  await page.goto(link);
  return page;
}

/** Records the addresses that scripts write, on the prototype, because the router keeps a reference from the start. */
const noteAddresses = () => {
  const written: string[] = [];
  Object.assign(window, { written });
  const write = History.prototype.replaceState;
  History.prototype.replaceState = function replaceState(state, unused, url) {
    written.push(String(url));
    write.call(this, state, unused, url);
  };
};

/** Makes the router write the address in its state, and fails if that still has the fragment. */
async function expectForgotten(page: Page): Promise<void> {
  await page.evaluate("window.written.length = 0; window.next.router.refresh()");
  const written = () => page.evaluate("window.written");
  await expect.poll(written, "the router writes its address").not.toEqual([]);
  expect(await written()).not.toContainEqual(expect.stringContaining("#"));
}

async function statusOf(baseURL: string | undefined, tenant: string, apiKey: string) {
  const program = await outside.newContext({ baseURL: baseURL ?? "" });
  const headers = { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey };
  const response = await program.get("/v1/user/profile", { headers });
  await program.dispose();
  return response.status();
}

test("the secret of a new key is handed off by a link that works once", async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const tenant = await makeOwnTenant(page, "hand-off");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  const { dialog, apiKey } = await generateKey(page, tenant, "handed off");
  const link = await createLink(dialog);
  expect(sent.join(), "the secret stays in the browser").not.toContain(apiKey);
  expect(sent.join(), "and so does what decrypts it").not.toContain(link.split("key=")[1]);
  await expectSoundInEveryLook(page);
  await expect(dialog.getByLabel("I have stored it")).not.toBeChecked();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expect(
    dialog.getByLabel("I have stored it"),
    "a link may expire before it is opened",
  ).not.toBeChecked();

  const colleague = await visit(browser, link);
  await expect(colleague, "nothing secret is left in the address").not.toHaveURL(/#/);
  await expectForgotten(colleague);
  await expect(colleague.getByText(`of tenant ${tenant}`)).toBeVisible();
  await expectSoundInEveryLook(colleague);
  await colleague.getByRole("button", { name: "Show secret" }).click();
  await expect(colleague.locator("pre")).toHaveText(apiKey);
  await expectSoundInEveryLook(colleague);
  expect(await statusOf(baseURL, tenant, apiKey)).toBe(200);

  const late = await visit(browser, link);
  await late.getByRole("button", { name: "Show secret" }).click();
  await expect(late.getByText("This link no longer works")).toBeVisible();
  await expect(late.getByText("have the key rotated")).toBeVisible();
  await expect(late.locator("pre")).toBeHidden();
  await expectSoundInEveryLook(late);
  await colleague.context().close();
  await late.context().close();
});

test("a link is invalid after its key is rotated, and the new secret has a separate link", async ({
  page,
  browser,
}) => {
  const tenant = await makeOwnTenant(page, "hand-off-rotated");
  const name = "rotated";
  const { dialog } = await generateKey(page, tenant, name);
  const link = await createLink(dialog);
  await dialog.getByLabel("I have stored it").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: `Actions for key ${name}` }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const renewed = await createLink(dialog);

  const colleague = await visit(browser, link);
  await colleague.getByRole("button", { name: "Show secret" }).click();
  await expect(colleague.getByText("This link no longer works")).toBeVisible();
  await colleague.goto(renewed);
  await colleague.getByRole("button", { name: "Show secret" }).click();
  await expect(colleague.locator("pre")).toHaveText(secret);
  await colleague.context().close();
});

test.describe("one link works at a time", () => {
  // The status for withdrawing a link that was already opened.
  test.use({ tolerated: [/status of 404/] });

  test("a new link withdraws the previous one, and its creator can withdraw it", async ({
    page,
    browser,
  }) => {
    const tenant = await makeOwnTenant(page, "hand-off-replaced");
    const { dialog } = await generateKey(page, tenant, "replaced");
    const first = await createLink(dialog);
    await dialog.getByRole("button", { name: "Create another link" }).click();
    await expect(dialog.getByText("The previous link was withdrawn.")).toBeVisible();
    const code = dialog.locator("code", { hasText: "#token=" });
    await expect(code).not.toHaveText(first);
    const second = (await code.textContent()) ?? "";

    const colleague = await visit(browser, first);
    const open = colleague.getByRole("button", { name: "Show secret" });
    await open.click();
    await expect(colleague.getByText("This link no longer works")).toBeVisible();
    await colleague.goto(second);
    await open.click();
    await expect(colleague.locator("pre")).toHaveText(secret);

    await dialog.getByRole("button", { name: "Withdraw link" }).click();
    await expect(dialog.getByText(/^The previous link was opened before/)).toBeVisible();
    await dialog.getByRole("button", { name: "Create link" }).click();
    await expect(dialog.getByText(/^It opens once, until/)).toBeVisible();
    const third = (await code.textContent()) ?? "";
    await dialog.getByRole("button", { name: "Withdraw link" }).click();
    await expect(dialog.getByText("The previous link was withdrawn.")).toBeVisible();
    await expect(code).toBeHidden();
    await expectSoundInEveryLook(page);
    await colleague.goto(third);
    await open.click();
    await expect(colleague.getByText("This link no longer works")).toBeVisible();
    await colleague.context().close();
  });
});

test("a text that is not a key is not shown as one", async ({ page, browser, baseURL }) => {
  const tenant = await makeOwnTenant(page, "hand-off-forged");
  // An attacker's browser that encrypts another text of the same length.
  await page.addInitScript(() => {
    const { encrypt } = SubtleCrypto.prototype;
    SubtleCrypto.prototype.encrypt = function seal(algorithm, key, data) {
      const forged = new TextEncoder().encode("Call us and read your password: ".padEnd(53, "5"));
      return encrypt.call(this, algorithm, key, data.byteLength === 53 ? forged : data);
    };
  });
  const { dialog } = await generateKey(page, tenant, "forged");
  const colleague = await visit(browser, await createLink(dialog));
  await colleague.getByRole("button", { name: "Show secret" }).click();
  await expect(colleague.getByText("The secret could not be read")).toBeVisible();
  await expect(colleague.getByText("Call us")).toBeHidden();
  expect(new URL(colleague.url()).origin).toBe(new URL(baseURL ?? "").origin);
  await colleague.context().close();
});
