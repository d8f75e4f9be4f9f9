import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { makeOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use(firstLook);

test.describe("who may write metrics", () => {
  // The form asks once for what is rejected.
  test.use({ tolerated: [/status of 400/] });

  test("a marker is added from the page and stands on the charts", async ({ page }) => {
    // The list shows the newest six: in a shared tenant other tests would push this one out.
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

  test("is a choice of the chart, with its summary and the same shares as a table", async ({
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

test.describe("who may only read metrics", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("ana")) });

  test("is offered no marker to add", async ({ page, world }) => {
    await page.goto(`/t/${credentialsOf(world, "ana").tenant}/metrics`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Metrics");
    await expect(page.getByRole("button", { name: "Add marker" })).toHaveCount(0);
  });
});
