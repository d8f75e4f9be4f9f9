import type { Page } from "@playwright/test";

/** Opens the whole list of markers under the charts: actions of other tests are marked too, and only a few are shown at first. */
export async function openMarkers(page: Page) {
  const markers = page.getByRole("region", { name: "Markers" });
  await markers.getByRole("button").first().waitFor();
  const all = markers.getByRole("button", { name: /^Show all/ });
  if (await all.isVisible()) await all.click();
  // Otherwise the pointer would stay on a marker, which the charts would then highlight.
  await page.mouse.move(0, 0);
  return markers;
}
