import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { enterDemo, expect, test } from "@/e2e/support/portal";
import { language, portalStops, publicStops } from "./stops";

const folder = join(process.cwd(), "tour", language ?? "");

const read = (page: Page) =>
  page
    .context()
    .addCookies(
      language
        ? [{ name: "gatehouse-language", value: language, url: process.env.E2E_BASE_URL ?? "" }]
        : [],
    );

test.use({ tolerated: [/./] });

/** Takes pictures in each theme at each width with one page load. */
async function takePictures(page: Page, name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      await page.screenshot({
        path: join(folder, `${name}-${colorScheme}-${width}.png`),
        animations: "disabled",
      });
    }
  }
}

test("every page and main state, in both themes, on a desktop and on a phone", async ({ page }) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const visit = async (prefix: string, stop: (typeof portalStops)[number]) =>
    test.step(stop.name, async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(prefix + stop.path, { waitUntil: "networkidle" });
      await stop.open?.(page);
      await takePictures(page, stop.name);
    });
  await enterDemo(page);
  await read(page);
  for (const stop of portalStops) await visit("/t/demo", stop);
  await page.context().clearCookies({ name: /session/ });
  for (const stop of publicStops) await visit("", stop);
});
