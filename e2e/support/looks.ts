import type { Page } from "@playwright/test";
import { fetchNothingAhead } from "./ahead";
import { expect, expectAccessible, expectNoOverflow, rulesOfColours, test } from "./portal";

/** Both themes at a desktop's and a phone's width; each step changes one of the two. The second theme at a width differs only in colours. */
const looks = [
  { colorScheme: "light", width: 1280, rules: undefined },
  { colorScheme: "dark", width: 1280, rules: rulesOfColours },
  { colorScheme: "dark", width: 360, rules: undefined },
  { colorScheme: "light", width: 360, rules: rulesOfColours },
] as const;

/** The options with which a spec opens its page: the first look. */
export const firstLook = { colorScheme: "light", viewport: { width: 1280, height: 800 } } as const;

/** Opens a page without prefetching, which would not change what is checked. */
export async function openToLookAt(page: Page, address: string): Promise<void> {
  await fetchNothingAhead(page);
  await page.goto(address, { waitUntil: "networkidle" });
}

/** Changes the width of the screen. Reopens an open menu by its button, as a user would at this width. */
async function changeWidth(page: Page, width: number): Promise<void> {
  if (page.viewportSize()?.width === width) return;
  const opener = page.locator('[aria-haspopup="menu"][aria-expanded="true"]');
  const button = (await opener.count()) > 0 ? await opener.elementHandle() : null;
  if (button) await page.keyboard.press("Escape");
  await page.setViewportSize({ width, height: 800 });
  if (!button) return;
  await button.click();
  await expect(page.getByRole("menu")).toBeVisible();
}

/**
 * Asserts that the loaded page, with all open dialogs and menus, is accessible and not wider than the screen in both themes at both
 * widths. One page load serves all four: the theme follows the system's, the layout the window. Restores the first look at the end.
 */
export async function expectSoundInEveryLook(page: Page): Promise<void> {
  for (const { colorScheme, width, rules } of looks)
    await test.step(`${colorScheme}, ${width} px`, async () => {
      await page.emulateMedia({ colorScheme });
      await changeWidth(page, width);
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      await expectAccessible(page, rules);
      await expectNoOverflow(page);
    });
  await page.setViewportSize(firstLook.viewport);
}
