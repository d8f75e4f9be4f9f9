import type { Browser, Page } from "@playwright/test";
import { actWhenAwake } from "./support/awake";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";
import { createPreview, storedText } from "./support/previews";
import { holdUndo } from "./support/undo";

test.use({ storageState: async ({}, use) => use(signedIn("pim")) });

async function secondBrowser(browser: Browser, path: string): Promise<Page> {
  const context = await browser.newContext({ storageState: signedIn("adm") });
  await actWhenAwake(context);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const saved = (page: Page) => expect(page.getByText("Unsaved edits")).toBeHidden();
const start =
  '{\n  "title" : "Start",\n  "enabled": false,\n  "n": 12345678901234567890,\n  "hero": { "headline": "Before" }\n}\n';

test("a configuration is created, edited as form and as JSON, and saved byte for byte", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "pim");
  await page.goto(`/t/${tenant}/sites/a-one/previews`);
  await page.getByRole("button", { name: "Create preview" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Spring fair");
  await expect(dialog.getByLabel("Key")).toHaveValue("spring-fair");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create preview" }).click();
  await expect(page).toHaveURL(/\/previews\/spring-fair$/);
  await page.getByLabel("Stage").selectOption("Live");
  await page.getByRole("tab", { name: "JSON" }).click();
  const editor = page.getByRole("textbox", { name: "Configuration as JSON" });
  await expect(editor, "one line is shown as many").toContainText('"stage": "live"');
  await editor.press("Control+End");
  await editor.press("ArrowLeft");
  await editor.pressSequentially(',"mine":1.50');
  await page.getByRole("button", { name: "Outline" }).click();
  const outline = page.getByRole("navigation", { name: "Outline" });
  await outline.getByRole("button", { name: "mine" }).click();
  await expect(editor, "the outline leads into the text").toBeFocused();
  await page.getByRole("tab", { name: "Changes" }).click();
  const changes = page.getByRole("tabpanel", { name: "Changes" });
  await expect(changes.locator(".cm-changedLine")).toContainText(['"stage": "live"', '"mine"']);
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Form" }).click();
  await expect(page.getByText("1 more field is kept")).toBeVisible();
  await page.getByLabel("Title").press("Control+s");
  await saved(page);
  expect(await storedText(page, tenant, "spring-fair")).toBe(
    '{"title":"Spring fair","enabled":false,"stage":"live","mine":1.50}',
  );
  await expect(page.getByText("version 2")).toBeVisible();
});

test("a form edit changes no other byte", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "pim");
  await page.goto(await createPreview(page, tenant, "bytes", start));
  await page.getByLabel("Enabled").selectOption("Yes");
  await page.getByRole("button", { name: "Save preview" }).click();
  await saved(page);
  expect(await storedText(page, tenant, "bytes")).toBe(start.trimEnd().replace("false", "true"));
});

test("problems are shown at their line and never prevent saving; invalid JSON does", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "pim");
  await page.goto(
    await createPreview(
      page,
      tenant,
      "problems",
      '{\n  "title": 7,\n  "locales": ["de", "not_one"]\n}',
    ),
  );
  const problems = page.getByRole("region", { name: "Problems" });
  await expect(problems.getByRole("button")).toHaveText([
    "Line 2: /title must be a string.",
    /^Line 3: \/locales\/1 must be a language tag/,
  ]);
  await problems.getByRole("button", { name: /Line 3/ }).click();
  const editor = page.getByRole("textbox", { name: "Configuration as JSON" });
  await expect(editor).toBeFocused();
  await expectAccessible(page);
  await editor.press("Control+End");
  await editor.pressSequentially("x");
  await expect(problems.getByRole("button")).toHaveText([/^Line 4: This is not valid JSON/]);
  await expect(page.getByRole("button", { name: "Save preview" })).toBeDisabled();
  await editor.press("Backspace");
  await editor.pressSequentially(" ");
  await expect(page.getByRole("button", { name: "Save preview" })).toBeEnabled();
});

test("unsaved edits survive a reload, and leaving the page asks first", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "pim");
  const path = await createPreview(page, tenant, "kept", start);
  await page.goto(path);
  page.on("dialog", (question) => void question.accept());
  await page.getByLabel("Title").fill("Typed, not saved");
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Typed, not saved");
  await expect(page.getByText("Unsaved edits restored from this device")).toBeVisible();
  await page.getByRole("link", { name: "Previews of a-one" }).click();
  await expect(page.getByRole("dialog")).toContainText("They stay on this device");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/previews$/);
  await page.goto(path);
  await expect(page.getByLabel("Title")).toHaveValue("Typed, not saved");
  await page.getByRole("button", { name: "Discard edits" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Start");
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Start");
});

test.describe("two browsers", () => {
  test.use({ tolerated: [/status of 412/] });

  test("edit the same configuration: both edits end up in the merged result, also across a reload", async ({
    page,
    world,
    browser,
  }) => {
    const { tenant } = credentialsOf(world, "pim");
    const path = await createPreview(page, tenant, "merge", start);
    await page.goto(path);
    page.on("dialog", (question) => void question.accept());
    const other = await secondBrowser(browser, path);
    await page.getByLabel("Title").fill("Mine");
    await page.getByLabel("Stage").selectOption("Staged");
    await other.getByLabel("Title").fill("Saved by somebody else");
    await other.getByLabel("Enabled").selectOption("Yes");
    await other.getByRole("button", { name: "Save preview" }).click();
    await saved(other);
    await page.getByRole("button", { name: "Save preview" }).click();
    await expect(
      page.getByRole("heading", { name: "adm saved while you were editing" }),
    ).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole("button", { name: "Merge edits" }).click();
    await expect(page.getByRole("row", { name: /\/enabled/ })).toContainText("true");
    await expect(page.getByRole("button", { name: "Save merged" })).toBeDisabled();
    await page.getByRole("radio", { name: "Yours: /title" }).check();
    await page.getByRole("button", { name: "Save merged" }).click();
    await saved(page);
    const merged = await storedText(page, tenant, "merge");
    expect(JSON.parse(merged)).toMatchObject({ title: "Mine", enabled: true, stage: "staged" });
    expect(merged, "and every byte that nobody touched").toContain(
      '"n": 12345678901234567890,\n  "hero": { "headline": "Before" }',
    );
    await other.context().close();
  });
});

test("the frame shows the sample storefront with the edited text, at the width of a device", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "pim");
  await page.goto(
    await createPreview(page, tenant, "framed", '{"title":"Framed","hero":{"headline":"First"}}'),
  );
  await page
    .getByLabel("URL template")
    .fill(`${new URL(page.url()).origin}/sample-storefront/index.html{?slug,locale}`);
  const element = page.getByTitle("Preview at 390 pixels");
  await expect(element).toHaveAttribute("sandbox", "allow-scripts allow-forms");
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { name: "First" })).toBeVisible();
  await page.getByText("1280", { exact: true }).click();
  await expect(page.getByTitle("Preview at 1280 pixels")).toBeVisible();
  await page.getByLabel("URL template").fill("http://shop.example/{slug}");
  await expect(page.getByText("does not lead to a page that can be shown here")).toBeVisible();
});

test("history shows who changed what, side by side, and restores an earlier version", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "pim");
  const path = await createPreview(page, tenant, "past", start);
  await page.goto(path);
  await page.getByLabel("Title").fill("Changed");
  await page.getByRole("button", { name: "Save preview" }).click();
  await saved(page);
  await page.getByRole("link", { name: "History" }).click();
  const versions = page.getByRole("list", { name: "Versions, newest first" });
  await expect(versions.getByRole("button")).toHaveText([
    /^Version 2.*by pim, in the portal/,
    /^Version 1.*by pim/,
  ]);
  await expect(page.getByRole("textbox", { name: "Version 2" })).toContainText("Changed");
  await expectAccessible(page);
  await versions.getByRole("button", { name: /Version 1/ }).click();
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await expect(versions.getByRole("button").first()).toContainText("Version 3");
  expect(await storedText(page, tenant, "past")).toBe(start.trimEnd());
});

test("delete and archive can be undone on the same page", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "pim");
  await createPreview(page, tenant, "undone", '{"title":"Undone"}');
  await holdUndo(page);
  await page.goto(`/t/${tenant}/sites/a-one/previews`);
  const row = page.getByRole("row", { name: /Undone/ });
  await row.getByRole("button", { name: "Actions for Undone" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect(row).toContainText("Archived");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(row).not.toContainText("Archived");
  await row.getByRole("button", { name: "Actions for Undone" }).click();
  await page.getByRole("menuitem", { name: "Delete preview" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete preview" }).click();
  await expect(row).toBeHidden();
  await page.getByRole("button", { name: "Recently deleted" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Undone" })
    .getByRole("button", { name: "Restore" })
    .click();
  await expect(row).toBeVisible();
});

test.describe("a user without permission", () => {
  test.use({ tolerated: [/status of 40[34]/] });

  test("a role at one site gives no access to another; an unknown key shows a page that says so", async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "pim");
    await page.goto(`/t/${tenant}/sites/a-two/previews`);
    await expect(page.getByText("preview.configuration.read").first()).toBeVisible();
    await page.goto(`/t/${tenant}/sites/a-one/previews/there-is-none`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("button", { name: "Save preview" })).toHaveCount(0);
  });
});
