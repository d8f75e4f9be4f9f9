import type { Page } from "@playwright/test";

/** Prevents the page from prefetching code, which it does some seconds after it has loaded, however long the loading takes. */
export async function fetchNothingAhead(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
}
