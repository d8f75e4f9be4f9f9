import { expect, type Page } from "@playwright/test";

/**
 * Waits until the page is idle. Elements are visible shortly before React has run their effects, which listen to keys
 * and to clicks outside, and move the focus.
 */
export const atRest = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(resolve))),
  );

/** Presses Escape once the opened dialog or menu has the focus, because it listens to keys only from then on. */
export async function escapeFrom(page: Page, role: "dialog" | "menu"): Promise<void> {
  const opened = page.getByRole(role);
  await expect(opened.and(page.locator(":focus-within"))).toBeVisible();
  await atRest(page);
  await page.keyboard.press("Escape");
  await expect(opened).toBeHidden();
}

/** Presses keys without waiting for each, because a busy page would handle each of them late, unlike a fast typist. */
export async function pressTogether(page: Page, keys: string): Promise<void> {
  await Promise.all([...keys].map((key) => page.keyboard.press(key)));
}
