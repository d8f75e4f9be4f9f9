import { actWhenAwake } from "./support/awake";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";
import { createPreview } from "./support/previews";

test.use(firstLook);
test.use({ storageState: async ({}, use) => use(signedIn("pim")) });
// axe posts messages to every frame; the sandboxed live frame has an opaque origin and cannot answer.
test.use({
  tolerated: [/Failed to execute 'postMessage' .* recipient window's origin \('null'\)/],
});

const unique = (name: string) => `${name}-${Date.now().toString(36)}`;

test("a share shows the preview without a login, accepts comments, and is invalid after its revocation", async ({
  page,
  world,
  browser,
}) => {
  const { tenant } = credentialsOf(world, "pim");
  const path = await createPreview(page, tenant, unique("shared"), '{"title":"Spring"}');
  await page.goto(path);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^Share/ });
  await dialog.getByLabel("For whom").fill("The agency");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.locator("code", { hasText: "#token=" }).textContent();
  await expectSoundInEveryLook(page);

  const elsewhere = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  await actWhenAwake(elsewhere);
  const visitor = await elsewhere.newPage();
  await visitor.goto(link ?? "");
  await expect(visitor.getByRole("heading", { name: "Spring" })).toBeVisible();
  await expect(visitor).not.toHaveURL(/#/);
  await visitor.getByLabel("Comment", { exact: true }).fill("Too <b>dark</b>");
  await visitor.getByRole("button", { name: "Add comment" }).click();
  await expect(visitor.getByText("Too <b>dark</b>")).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText("Too <b>dark</b>")).toBeVisible();
  await expectSoundInEveryLook(visitor);

  await dialog.getByRole("button", { name: "Revoke the share The agency" }).click();
  await expect(dialog.getByText("Nobody has a link to this preview.")).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText("The preview cannot be shown")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByText("Too <b>dark</b>")).toBeVisible();
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("No open comments.")).toBeVisible();
  await elsewhere.close();
});

test("a click in the frame selects the field of the clicked element", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "pim");
  await page.goto(`/t/${tenant}/sites/a-one/previews/home`);
  const frame = page.frameLocator("iframe[title^='Preview at']");
  // The text differs from the HTML once the script has rendered it, and clicks work from then on.
  await expect(frame.locator("#headline")).not.toHaveText("Sample storefront");
  await frame.locator("#headline").click();
  await expect(page.getByRole("tab", { name: "JSON" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByLabel("About")).toHaveValue("/hero/headline");
});

test("several previews are released together", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "pim");
  const name = unique("launch");
  await createPreview(page, tenant, name, '{"stage":"draft"}');
  await page.goto(`/t/${tenant}/sites/a-one/releases`);
  await page.getByRole("button", { name: "Create release" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create release" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("checkbox", { name: new RegExp(name) }).check();
  await expectSoundInEveryLook(page);
  await dialog.getByRole("button", { name: "Create release" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Publish now" }).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row.getByText("Published")).toBeVisible();
  await expectSoundInEveryLook(page);
});
