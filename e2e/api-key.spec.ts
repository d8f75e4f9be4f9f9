import { request as outside } from "@playwright/test";
import { makeOwnTenant, nobody } from "./support/own-tenant";
import { expect, expectAccessible, test } from "./support/portal";
import { readSecret, secret } from "./support/secrets";
import { holdUndo, passUndo } from "./support/undo";

// The page of a user shows only the newest keys: tests that sign in as the same user would displace them.
test.use({ storageState: nobody });

/** Calls the API as an external program does: without a browser and cookies. */
async function listUsers(baseURL: string | undefined, tenant: string, apiKey: string) {
  const program = await outside.newContext({ baseURL: baseURL ?? "" });
  const response = await program.get("/v1/user/list", {
    headers: { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey },
  });
  const body = await response.json();
  await program.dispose();
  return { status: response.status(), body };
}

test("a key is created, shown once, used, suspended and resumed, rejected and revoked", async ({
  page,
  baseURL,
}) => {
  const tenant = await makeOwnTenant(page, "key");
  await holdUndo(page);
  await page.goto(`/t/${tenant}/me`);
  await page.getByRole("button", { name: "Generate key" }).click();
  await page.getByLabel("Name").fill("journey");
  await page.getByText("30 days").click();
  const dialog = page.getByRole("dialog");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Generate key" }).click();
  await expect(dialog.getByText("This is the only time the key is shown")).toBeVisible();
  await expectAccessible(page);
  expect(await page.content(), "masked until asked for").not.toMatch(secret);
  const apiKey = await readSecret(dialog);
  await dialog.getByText(".env").click();
  await expect(dialog.locator("pre")).toContainText(`TENANT=${tenant}\nAPI_KEY=${apiKey}`);
  await dialog.getByText("curl", { exact: true }).click();
  await expect(dialog.locator("pre")).toContainText(`-H 'X-Service-API-Key: ${apiKey}'`);
  await dialog.getByRole("button", { name: "Send GET /v1/user/list" }).click();
  await expect(dialog.getByText(/^200 in \d+ ms$/)).toBeVisible();

  const listed = await listUsers(baseURL, tenant, apiKey);
  expect(listed.status).toBe(200);
  expect(listed.body.map((user: { login: string }) => user.login)).toEqual(["ada"]);

  await dialog.getByLabel("I have stored it").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Generate key" })).toBeFocused();
  const kept = await page.evaluate(() =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      history.state,
      document.documentElement.outerHTML,
    ]),
  );
  expect(kept, "nowhere in page, storage or history").not.toContain(apiKey);

  const row = page.getByRole("row", { name: /journey/ });
  await expect(row).toContainText(`svk_…${apiKey.slice(-4)}`);
  const status = async () => (await listUsers(baseURL, tenant, apiKey)).status;
  await row.getByRole("button", { name: "Revoke key journey" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend instead" }).click();
  await expect(row).toContainText("Suspended");
  await expect.poll(status, "suspended").toBe(403);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).not.toContainText("Suspended");
  await expect.poll(status, "resumed").toBe(200);

  await row.getByRole("button", { name: "Revoke key journey" }).click();
  await expect(page.getByRole("dialog")).toContainText("are rejected within a second");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  const revokedAt = Date.now();
  let calledAt = revokedAt;
  while ((await status()) === 200) {
    expect(calledAt - revokedAt, "no call is admitted a second later").toBeLessThan(1000);
    calledAt = Date.now();
  }
  expect(await status(), "suspended while it can be undone").toBe(403);
  await passUndo(page);
  await expect(page.getByText('Key "journey" revoked')).toBeVisible();
  await expect(row).toBeHidden();
  await expect.poll(status, "revoked").toBe(401);
});

test("none of the six ways out loses the key silently", async ({ page }) => {
  const tenant = await makeOwnTenant(page, "key-guarded");
  await page.goto(`/t/${tenant}`);
  await page.goto(`/t/${tenant}/me?generate=1`);
  await page.getByLabel("Name").fill("guarded");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Generate key" }).click();
  const ready = dialog.getByText("This is the only time the key is shown");
  const warning = dialog.getByText("cannot be shown again");
  await expect(ready).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(warning).toBeVisible();
  await page.mouse.click(5, 400);
  await dialog.getByRole("button", { name: "Close dialog" }).click();
  await page.goBack();
  await expect(ready).toBeVisible();
  await expect(page).toHaveURL(/\/me/);
  const asked: string[] = [];
  page.on("dialog", (question) => {
    asked.push(question.type());
    void (asked.length === 1 ? question.dismiss() : question.accept());
  });
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked.length).toBe(1);
  await expect(ready, "closing the tab asks first").toBeVisible();
  await page.reload();
  expect(asked).toEqual(["beforeunload", "beforeunload"]);
  await expect(page.getByLabel("Name")).toHaveValue("");
  expect(await page.content(), "a reload that was agreed to loses it").not.toMatch(secret);
});

test("the fields of a new key survive a reload, but are cleared by its creation and by Cancel", async ({
  page,
}) => {
  const tenant = await makeOwnTenant(page, "key-draft");
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await page.goto(`/t/${tenant}/me?generate=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("typed before a reload");
  await dialog.getByText("Custom", { exact: true }).click();
  const validTo = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 16);
  await dialog.getByLabel(/^Date and time/).fill(validTo);
  await dialog.getByRole("button", { name: "Read-only" }).click();
  await expect(dialog.getByRole("button", { name: "Read-only" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await dialog.getByRole("button", { name: "All a personal key may do" }).click();
  await dialog.getByText("Limit what the key allows, how often and from where").click();
  await dialog.getByLabel("user.read", { exact: true }).check();
  await page.reload();
  await expect(dialog.getByLabel("Name")).toHaveValue("typed before a reload");
  await expect(dialog.getByLabel(/^Date and time/)).toHaveValue(validTo);
  await expect(
    dialog.getByLabel("user.read", { exact: true }),
    "a limit that is lost would make a key of all rights",
  ).toBeChecked();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog, "which has a button of the same name").toBeHidden();
  await page.getByRole("button", { name: "Generate key" }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue("");
  await expect(dialog.getByLabel("user.read", { exact: true })).not.toBeChecked();
  await dialog.getByLabel("Name").fill("made after a reload");
  expect(await kept()).toContain("made after a reload");
  await page.reload();
  await dialog.getByRole("button", { name: "Generate key" }).click();
  await expect(dialog.getByText('Key "made after a reload" is ready')).toBeVisible();
  expect(await kept()).not.toContain("made after a reload");
  await dialog.getByLabel("I have stored it").check();
  await dialog.getByRole("button", { name: "Done" }).click();
});

test.describe("a name that is taken", () => {
  test.use({ tolerated: [/status of 409/] });

  test("409: a name in use is reported at the field, and the input stays", async ({ page }) => {
    const tenant = await makeOwnTenant(page, "key-twice");
    await page.goto(`/t/${tenant}/me?generate=1`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("twice");
    await dialog.getByRole("button", { name: "Generate key" }).click();
    await dialog.getByLabel("I have stored it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Generate key" }).click();
    await dialog.getByLabel("Name").fill("Twice");
    await dialog.getByRole("button", { name: "Generate key" }).click();
    await expect(dialog.getByText('You already have a key named "Twice".')).toBeVisible();
    await expect(dialog.getByLabel("Name")).toHaveValue("Twice");
    await expect(dialog.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  });
});
