import { execFileSync } from "node:child_process";
import { atRest, escapeFrom, pressTogether } from "./support/at-rest";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("um")) });

test("the first Tab reaches a link that skips the menu", async ({ page, world }) => {
  await page.goto(`/t/${credentialsOf(world, "um").tenant}`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
});

test("a key is created from any page in at most six keystrokes and its name", async ({
  page,
  world,
}) => {
  await page.goto(`/t/${credentialsOf(world, "um").tenant}/users`, { waitUntil: "networkidle" });
  const strokes = ["Control+k", "g", "e", "n", "Enter"];
  await page.keyboard.press("Control+k");
  await expect(page.getByPlaceholder("Search pages, actions and people")).toBeFocused();
  for (const stroke of strokes.slice(1, -1)) await page.keyboard.press(stroke);
  await expect(page.locator("[cmdk-item][data-selected=true]")).toContainText("Generate API key");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await expect(page.getByText('Key "by keyboard" is ready')).toBeVisible();
  expect(strokes.length + 1).toBeLessThanOrEqual(6);
});

test("users are searched, browsed and opened without a pointer", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "um");
  await page.goto(`/t/${tenant}`, { waitUntil: "networkidle" });
  await pressTogether(page, "gu");
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}/users$`));
  await expect(page.getByLabel("Search users")).toBeVisible();
  await atRest(page);
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search users")).toBeFocused();
  const found = page.waitForResponse((answer) => answer.url().includes("q=a"));
  await page.keyboard.type("a");
  await expect(page).toHaveURL(/q=a/);
  await found;
  await expect(page.locator("[aria-busy=true]"), "what was found has arrived").toHaveCount(0);
  // The rows are drawn shortly after.
  await atRest(page);
  await page.locator("[data-row]").first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("[data-row]").nth(1)).toBeFocused();
  const name = (await page.locator("[data-row]").nth(1).textContent()) ?? "";
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
});

test("a view can be copied as a call that returns the same data", async ({
  page,
  world,
  context,
  request,
}) => {
  const um = credentialsOf(world, "um");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/t/${um.tenant}/users?q=um&sort=-login`);
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByPlaceholder("Search pages, actions and people")).toBeFocused();
  await page.keyboard.type("as fetch");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This view as fetch copied")).toBeVisible();
  const program = await page.evaluate(() => navigator.clipboard.readText());
  const headers = { "X-Service-Tenant": um.tenant };
  const { sessionId } = await (
    await request.post("/v1/user/session-login", { headers, data: um })
  ).json();
  const data = {
    name: `copied call ${Date.now()}`,
    validTo: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const made = await request.post("/v1/user/profile/api-keys", {
    headers: { ...headers, "X-Service-Session-Id": sessionId },
    data,
  });
  const env = { ...process.env, API_KEY: (await made.json()).apiKey };
  const code = `${program}\nconsole.log(JSON.stringify(answer.map(({ login }) => login)));`;
  const logins = execFileSync(process.execPath, ["--input-type=module", "-e", code], {
    env,
    encoding: "utf8",
  });
  expect(JSON.parse(logins)).toEqual(
    await page.getByRole("table", { name: "Users" }).locator("tbody code").allTextContents(),
  );
});

test("menus and dialogs restore the focus", async ({ page, world }) => {
  await page.goto(`/t/${credentialsOf(world, "um").tenant}`, { waitUntil: "networkidle" });
  const account = page.getByRole("button", { name: /account and settings/ });
  await account.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Your details" })).toBeFocused();
  await escapeFrom(page, "menu");
  await expect(account).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await escapeFrom(page, "dialog");
  await expect(account).toBeFocused();
});
