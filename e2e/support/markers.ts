import type { Page } from "@playwright/test";

/** The list of markers under the charts, all of it: other users' actions during the test are marked too, and only a few are shown at first. */
export async function openMarkers(page: Page) {
  const markers = page.getByRole("region", { name: "Markers" });
  await markers.getByRole("button").first().waitFor();
  const all = markers.getByRole("button", { name: /^Show all/ });
  if (await all.isVisible()) await all.click();
  // It would rest on a marker, whose place the charts would then show.
  await page.mouse.move(0, 0);
  return markers;
}
