import type { Page } from "@playwright/test";
import { beCounted } from "./support/counted";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { openMarkers } from "./support/markers";
import { credentialsOf, expect, openAndRest, signedIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use(firstLook);

/** Opens the details of the last point of the calls. */
async function openLastPoint(page: Page) {
  await page.getByRole("slider", { name: "Points of Calls over time" }).press("Enter");
  const panel = page.getByRole("region", { name: /^Calls from/ });
  await expect(panel.getByRole("heading").first()).toBeFocused();
  return panel;
}

test.describe("a user who may write metrics", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  test("writes a note at a point, everybody reads it with its author, and it is removed again", async ({
    page,
    world,
  }) => {
    const { tenant, login } = credentialsOf(world, "adm");
    const text = `The provider was down ${Date.now()}`;
    await beCounted(page, tenant);
    await openAndRest(page, `/t/${tenant}/metrics?range=24h`);
    const panel = await openLastPoint(page);
    await panel.getByRole("button", { name: "Add note here" }).click();
    const dialog = page.getByRole("dialog", { name: "Add note" });
    await expect(dialog.getByLabel("Note", { exact: true })).toBeFocused();
    await dialog.getByLabel("Note", { exact: true }).fill(text);
    await expectSoundInEveryLook(page);
    await dialog.getByRole("button", { name: "Add note" }).click();
    await expect(dialog).toBeHidden();
    await expect(panel.getByRole("list", { name: "Markers of this point" })).toContainText(
      `${text}`,
    );
    await expect(panel).toContainText("by you");
    const markers = await openMarkers(page);
    await expect(markers.getByRole("button", { name: text })).toContainText(login);
    await expectSoundInEveryLook(page);
    await panel.getByRole("button", { name: `Remove ${text}` }).click();
    const ask = page.getByRole("dialog", { name: "Remove note" });
    await ask.getByRole("button", { name: "Remove note" }).click();
    await expect(ask).toBeHidden();
    await expect(page.getByText(text)).toHaveCount(0);
  });
});

test.describe("a user who may only read metrics", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("ana")) });

  test("reads notes, and is offered neither to write nor to remove one", async ({
    page,
    world,
    browser,
  }) => {
    const { tenant } = credentialsOf(world, "ana");
    const title = `Read by all ${Date.now()}`;
    const writer = await browser.newPage({ storageState: signedIn("adm") });
    await beCounted(writer, tenant);
    const data = { at: new Date().toISOString(), title, kind: "note" };
    const written = await callAs(writer, "POST /v1/api-metrics/markers", { tenant, data });
    expect(written.status(), await written.text()).toBe(201);
    await writer.close();
    await openAndRest(page, `/t/${tenant}/metrics?range=24h`);
    // There may be a newer last point by now.
    const markers = await openMarkers(page);
    await markers.getByRole("button", { name: title }).press("Enter");
    const panel = page.getByRole("region", { name: /^Calls from/ });
    await expect(panel).toContainText(title);
    await expect(panel.getByRole("button", { name: /^(Add note|Remove)/ })).toHaveCount(0);
  });
});
