import type { Page } from "@playwright/test";

/** Counts presses of a pointer, not of keys, on every document that the page opens from now on. */
export async function countClicks(page: Page): Promise<() => number> {
  let count = 0;
  await page.exposeFunction("noteClick", () => {
    count += 1;
  });
  await page.addInitScript(() => {
    const { noteClick } = window as unknown as { noteClick: () => void };
    window.addEventListener("pointerdown", () => noteClick(), true);
  });
  return () => count;
}
