import { beCounted, callByKey } from "./support/counted";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { makeOwnTenant } from "./support/own-tenant";
import { expect, test } from "./support/portal";
import { holdUndo } from "./support/undo";

test.use(firstLook);

// The response with which one step replaces the service's.
test.use({ tolerated: [/status of 400/] });

test("a view of the metrics page is saved as a chart of Home, which links back to it", async ({
  page,
}) => {
  // Home shows all charts of a user, including those of other tests.
  const tenant = await makeOwnTenant(page, "charts");
  const name = `By endpoint ${Date.now()}`;
  const state = "range=6h&zone=Asia%2FTokyo&statusClass=2xx%2C4xx&group=endpoint&chart=line";
  await callByKey(page, tenant);
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?${state}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save as view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as view" });
  await dialog.getByLabel("Name").fill(name);
  await expect(dialog.getByLabel("Show it on Home")).toBeChecked();
  await expectSoundInEveryLook(page);
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();

  const chart = page.getByRole("article", { name });
  await test.step("its numbers fail to load, and a retry loads them", async () => {
    const numbers = "**/metrics/timeserie-counts?*";
    await page.route(numbers, (route) =>
      route.fulfill({
        status: 400,
        json: { code: "metrics.too-many-values", detail: "Too many." },
      }),
    );
    await page.goto(`/t/${tenant}`);
    await expect(chart.getByText("The calls could not be loaded")).toBeVisible();
    await page.unroute(numbers);
    await chart.getByRole("button", { name: "Try again" }).click();
    await expect(chart.getByRole("img", { name: /: [\d,]+ calls$/ })).toBeVisible();
  });
  await expect(chart.getByText("Last 6 h")).toBeVisible();
  await expectSoundInEveryLook(page);
  await chart.getByRole("link", { name }).click();
  await expect(page).toHaveURL(new RegExp(`/metrics\\?${state}$`));
  await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByLabel("Chart", { exact: true })).toHaveValue("line");
  await page.keyboard.press("Escape");

  await holdUndo(page);
  await page.goto(`/t/${tenant}`);
  let changes = 0;
  page.on("request", (sent) => {
    if (sent.method() !== "GET" && sent.url().includes("/v1/views")) changes += 1;
  });
  await chart.getByRole("button", { name: `Remove ${name} from Home` }).click();
  await expect(chart).toBeHidden();
  const section = page.locator("#saved-charts");
  await expect(section.getByRole("link", { name: "Save a chart" })).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(chart).toBeVisible();
  await page.keyboard.press("z");
  await chart.getByRole("button", { name: `Remove ${name} from Home` }).click();
  await expect(section.getByText("None yet.")).toBeVisible();
  expect(changes, "removed, put back once, removed").toBe(3);
});
