import { boxesOf } from "./support/boxes";
import { beCounted } from "./support/counted";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

test("the controls are one line on a desktop, and the chart is in the first screen of a phone", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/t/${tenant}/metrics`);
  const range = page.getByRole("button", { name: /^Last 24 h · / });
  const more = page.getByRole("button", { name: "More", exact: true });
  await expect(async () => {
    const [first, last] = await boxesOf(range, more);
    expect(first.y).toBe(last.y);
  }).toPass();
  await expect(page.getByRole("switch", { name: "Compare" })).toBeChecked();
  await expect(page.getByRole("switch", { name: "Live" })).not.toBeChecked();
  await more.click();
  await expect(page.getByRole("region", { name: "Display and export" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  const chart = page.getByRole("img", { name: "Calls over time" });
  await expect
    .poll(async () => {
      const box = await chart.boundingBox();
      return box ? box.y + box.height : 0;
    }, "the end of the plot, from the top")
    .toBeLessThan(844);
});

test("a point opens under its plot without a scroll, and Esc restores focus and scroll position", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?range=1h`);
  const plot = page.getByRole("img", { name: "Calls over time" });
  const points = page.getByRole("slider", { name: "Points of Calls over time" });
  const panel = page.getByRole("region", { name: /^Calls from/ });
  await plot.scrollIntoViewIfNeeded();
  const place = () => page.evaluate(() => window.scrollY);
  let before = 0;
  await expect(async () => {
    const [box] = await boxesOf(points);
    before = await place();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(panel).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(panel.getByRole("heading").first()).toBeFocused();
  expect(await place()).toBe(before);
  const [above, below] = await boxesOf(plot, panel);
  expect(below.y - above.bottom).toBeLessThan(60);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(points).toBeFocused();
  expect(await place()).toBe(before);
});
