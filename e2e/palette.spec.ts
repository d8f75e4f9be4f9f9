import type { Page } from "@playwright/test";
import { escapeFrom } from "./support/at-rest";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

const selected = (page: Page) => palette(page).locator("[cmdk-item][data-selected=true]");

const palette = (page: Page) => page.getByRole("dialog", { name: "Search or run a command" });

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.getByRole("combobox").fill(text);
}

test("a verb and a name open the dialog of the action; closing it restores the plain address", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await page.goto(`/t/${tenant}`, { waitUntil: "networkidle" });
  const { login } = credentialsOf(world, "um");
  await ask(page, "");
  await page.keyboard.type(`lock ${login}`);
  await expect(selected(page)).toHaveText(new RegExp(`^Lock .*${login}$`));
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: /^Lock / })).toBeVisible();
  await escapeFrom(page, "dialog");
  await expect(page).not.toHaveURL(/do=lock/);
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("group", { name: "Recent" })).toContainText("Lock ");
});

test("a user's own key is rotated from the palette", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  const name = `palette ${Date.now()}`;
  const data = { name, validTo: new Date(Date.now() + 3_600_000).toISOString() };
  await page.goto(`/t/${tenant}`, { waitUntil: "networkidle" });
  expect((await callAs(page, "POST /v1/user/profile/api-keys", { tenant, data })).status()).toBe(
    200,
  );
  await page.reload({ waitUntil: "networkidle" });
  // The verb, then its object.
  await ask(page, "rotate");
  await palette(page).getByRole("option", { name: "Rotate a key…" }).click();
  await expect(page.getByRole("combobox")).toHaveValue("rotate ");
  await page.keyboard.type(name);
  await palette(page)
    .getByRole("option", { name: `Rotate ${name}` })
    .click();
  await expect(page.getByRole("dialog", { name: new RegExp(name) })).toBeVisible();
});

test("a pasted call is explained, and its key is not sent or stored", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await page.goto(`/t/${tenant}`, { waitUntil: "networkidle" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url() + (request.postData() ?? "")));
  await ask(page, `curl https://api.example.com/v1/user/list -H 'X-Service-API-Key: svk_pasted'`);
  await palette(page).getByRole("option", { name: "Explain GET /v1/user/list" }).click();
  await expect(page).toHaveURL(/\/docs\/get-v1-user-list$/);
  expect(asked.filter((text) => text.includes("svk_pasted"))).toEqual([]);
});

test("error codes and sites are found", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await page.goto(`/t/${tenant}`, { waitUntil: "networkidle" });
  await ask(page, "quota.exceeded");
  await expect(
    palette(page).getByRole("group", { name: "Documentation" }).getByRole("option").first(),
  ).toContainText("quota.exceeded");
  await page.getByRole("combobox").fill("a-one");
  await palette(page).getByRole("option", { name: "Previews of a-one" }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}/sites/a-one/previews$`));
});

test("a single letter lists each of its pages once", async ({ page, world }) => {
  await page.goto(`/t/${credentialsOf(world, "adm").tenant}`, { waitUntil: "networkidle" });
  for (const [letter, entry] of [
    ["K", "Generate API key"],
    ["U", "Invite user"],
    ["w", "Webhooks"],
  ] as const) {
    await ask(page, letter);
    const found = palette(page).getByRole("option", { name: new RegExp(`^${entry}`) });
    await expect(found).toHaveCount(1);
    await expect(palette(page).getByRole("group", { name: "Shortcut" })).toContainText(entry);
    await escapeFrom(page, "dialog");
  }
  await ask(page, "K");
  await expect(selected(page)).toContainText("Generate API key");
  await page.keyboard.press("Enter");
  await page.keyboard.type("nightly job");
  const dialog = page.getByRole("dialog", { name: "Generate API key" });
  await expect(dialog.getByLabel("Name"), "no letter is a shortcut").toHaveValue("nightly job");
});
