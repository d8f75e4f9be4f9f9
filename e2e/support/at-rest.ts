import { expect, type Page } from "@playwright/test";

/**
 * Waits until the page has nothing left to do. What React shows stands there a little before its effects have run: those listen to keys
 * and to clicks outside, and move the focus.
 */
export const atRest = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(resolve))),
  );

/** Presses Escape once what was opened has the focus: it listens from then on. */
export async function escapeFrom(page: Page, role: "dialog" | "menu"): Promise<void> {
  const opened = page.getByRole(role);
  await expect(opened.and(page.locator(":focus-within"))).toBeVisible();
  await atRest(page);
  await page.keyboard.press("Escape");
  await expect(opened).toBeHidden();
}

/** Presses keys that belong together: a person is quick, while a page that works hard answers each of them late. */
export async function pressTogether(page: Page, keys: string): Promise<void> {
  await Promise.all([...keys].map((key) => page.keyboard.press(key)));
}
