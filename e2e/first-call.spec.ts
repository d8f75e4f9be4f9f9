import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { countClicks } from "./support/clicks";
import { expectSoundInEveryLook } from "./support/looks";
import { enterOwnTenant } from "./support/own-tenant";
import { expect, test } from "./support/portal";

/*
 * The number of clicks to the first call with a 200. Presses of the pointer are counted; fields of
 * a form are reached by Tab. The seconds are reported but not checked: they depend on the machine.
 */
const password = "four words in a row";

const secondsSince = (startedAt: number) => ((Date.now() - startedAt) / 1000).toFixed(1);

const annotate = (type: string, description: string) =>
  test.info().annotations.push({ type, description });

/** From the home page of a new sandbox: two clicks to a key, one to a call with it that returns 200. */
async function sendFirstCall(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Generate key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("first");
  await dialog.getByRole("button", { name: "Generate key" }).click();
  await dialog.getByRole("button", { name: "Send GET /v1/user/list" }).click();
  await expect(dialog.getByText(/^200 in \d+ ms$/)).toBeVisible();
}

/** Runs a copied command, in a shell whose curl prints the status at the end. */
async function statusInTerminal(command: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "gatehouse-terminal-"));
  writeFileSync(join(home, ".curlrc"), 'silent\nwrite-out = "\\n%{http_code}"\n');
  try {
    const env = { ...process.env, CURL_HOME: home };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { env });
    return stdout.split("\n").at(-1) ?? "";
  } finally {
    rmSync(home, { recursive: true });
  }
}

test("from sign-up to the first 200 in 4 clicks, and in the user's terminal in 6", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clicks = await countClicks(page);
  const tenant = `e2e-first-call-${Date.now()}`;
  await page.goto("/sign-up");
  const startedAt = Date.now();
  await page.getByLabel("Tenant id").fill(tenant);
  await page.getByLabel("First site id").fill("shop");
  await page.getByLabel("Your name").fill("Ada Example");
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Login").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create sandbox" }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
  expect(clicks(), "the first one is counted").toBe(1);
  await sendFirstCall(page);
  annotate("sign-up to the first 200", `${clicks()} clicks, ${secondsSince(startedAt)} s`);
  expect(clicks(), "sign-up to the first 200").toBeLessThanOrEqual(4);

  const dialog = page.getByRole("dialog");
  await dialog.getByText("curl", { exact: true }).click();
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`-H 'X-Service-Tenant: ${tenant}'`);
  expect(await statusInTerminal(command)).toBe("200");
  annotate("sign-up to a terminal's 200", `${clicks()} clicks, ${secondsSince(startedAt)} s`);
  expect(clicks(), "sign-up to the first 200 of a terminal").toBeLessThanOrEqual(6);
});

test("from the form of another sandbox to the first 200 in 4 clicks", async ({ page }) => {
  const clicks = await countClicks(page);
  const home = await enterOwnTenant(page, "first-home");
  const startedAt = Date.now();
  const before = clicks();
  await page.getByRole("button", { name: /^Tenant/ }).click();
  await page.getByRole("menuitem", { name: "New sandbox" }).click();
  const opened = clicks();
  const form = page.getByRole("dialog", { name: "New sandbox" });
  const tenant = home.replace("first-home", "first-own");
  await form.getByLabel("Tenant id").fill(tenant);
  await form.getByLabel("Tenant name").fill("My own");
  await form.getByLabel("First site id").fill("shop");
  await form.getByRole("button", { name: "Create sandbox" }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
  await sendFirstCall(page);
  const all = clicks() - before;
  annotate("home to the first 200 of a new sandbox", `${all} clicks, ${secondsSince(startedAt)} s`);
  expect(opened - before, "home to the form").toBe(2);
  expect(clicks() - opened, "the form to the first 200").toBeLessThanOrEqual(4);
});

test("sample traffic of a sandbox is marked wherever it is shown, and can be removed completely", async ({
  page,
}) => {
  const tenant = await enterOwnTenant(page, "sample-traffic");
  const note = page.getByRole("region", { name: "Sample traffic", exact: true });
  await page.getByRole("button", { name: "Add sample traffic" }).click();
  await expect(note).toContainText("Nobody made these calls.");
  await expectSoundInEveryLook(page);
  await page.goto(`/t/${tenant}/metrics`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Metrics");
  await expect(note, "the tenant's own calls are shown first").toHaveCount(0);
  await page.getByRole("button", { name: "Show sample traffic" }).click();
  await expect(page).toHaveURL(/sample=true/);
  await expect(page.getByRole("img", { name: /^Calls over time/ }).first()).toBeVisible();
  await note.getByRole("button", { name: "Remove" }).click();
  await expect(note).toHaveCount(0);
  await page.getByRole("button", { name: "Add again" }).click();
  await expect(page.getByRole("button", { name: "Show sample traffic" })).toBeVisible();
});
