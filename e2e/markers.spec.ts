import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { makeOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use(firstLook);

test.describe("a user who may write metrics", () => {
  // The form sends one request that is rejected.
  test.use({ tolerated: [/status of 400/] });

  test("a marker is added from the page and shown on the charts", async ({ page }) => {
    // The list shows the newest six: in a shared tenant markers of other tests would displace this one.
    await page.goto(`/t/${await makeOwnTenant(page, "markers")}/metrics`);
    await page.getByRole("button", { name: "Add marker" }).click();
    const dialog = page.getByRole("dialog", { name: "Add marker" });
    await dialog.getByLabel("Title").fill("Catalogue moved");
    await dialog.getByLabel("Kind").fill("Not a kind");
    await dialog.getByRole("button", { name: "Add marker" }).click();
    await expect(dialog.getByText(/must be lower-case letters/)).toBeVisible();
    await expectSoundInEveryLook(page);
    await dialog.getByLabel("Kind").fill("incident");
    await dialog.getByRole("button", { name: "Add marker" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("region", { name: "Markers" })).toContainText("Catalogue moved");
  });
});

test.describe("the latency heatmap", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  test("can be selected as a chart, with its summary and the same shares as a table", async ({
    page,
    world,
  }) => {
    await page.goto(`/t/${credentialsOf(world, "adm").tenant}/metrics`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByLabel("Chart", { exact: true }).selectOption("heatmap");
    await page.keyboard.press("Escape");
    const heatmap = page.getByRole("img", { name: /^Latency heatmap\. / });
    await expect(heatmap).toBeVisible();
    await expect(page).toHaveURL(/chart=heatmap/);
    await expectSoundInEveryLook(page);
    await page.keyboard.press("t");
    const table = page.getByRole("table", { name: "Latency by share of the calls" });
    await expect(table.getByRole("columnheader", { name: "below 10 ms" })).toBeVisible();
  });
});

test.describe("a user who may only read metrics", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("ana")) });

  test("cannot add a marker", async ({ page, world }) => {
    await page.goto(`/t/${credentialsOf(world, "ana").tenant}/metrics`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Metrics");
    await expect(page.getByRole("button", { name: "Add marker" })).toHaveCount(0);
  });
});
