import type { Page } from "@playwright/test";

/** Makes the page fetch no code before it is asked for: it does so some seconds after it has loaded, however long the loading takes. */
export async function fetchNothingAhead(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
}
