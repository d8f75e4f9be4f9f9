import type { Page } from "@playwright/test";
import { fetchNothingAhead } from "./ahead";
import { expect, expectAccessible, expectNoOverflow, rulesOfColours, test } from "./portal";

/** Both themes at a desktop's and a phone's width; each step changes one of the two. At a width the second theme can differ in colours only. */
const looks = [
  { colorScheme: "light", width: 1280, rules: undefined },
  { colorScheme: "dark", width: 1280, rules: rulesOfColours },
  { colorScheme: "dark", width: 360, rules: undefined },
  { colorScheme: "light", width: 360, rules: rulesOfColours },
] as const;

/** What a spec starts its page with: the first look. */
export const firstLook = { colorScheme: "light", viewport: { width: 1280, height: 800 } } as const;

/** Opens a page that is looked at as it stands: what it would fetch for later changes nothing of that. */
export async function openToLookAt(page: Page, address: string): Promise<void> {
  await fetchNothingAhead(page);
  await page.goto(address, { waitUntil: "networkidle" });
}

/** Changes the width of the screen. A menu that is open is opened again by its button, as a person does at this width. */
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
 * Asserts that the loaded page, with whatever is open on it, is accessible and not wider than the screen in both themes at both
 * widths. One page load serves all four: the theme follows the system's, the layout the window. Ends with the first look again.
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
