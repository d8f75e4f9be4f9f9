import type { Page } from "@playwright/test";
import { expectAccessible, rulesOfColours } from "@/e2e/support/portal";
import type { Stop } from "@/e2e/tour/stops";

const widths = [1440, 768, 390];

/** The findings of axe at a stop of the tour: all rules at each width, and the rules on colours in the dark theme and in forced colours. */
export async function findAt(page: Page, prefix: string, stop: Stop): Promise<string[]> {
  const found: string[] = [];
  const look = async (name: string, rules?: typeof rulesOfColours) => {
    const failed = await expectAccessible(page, rules).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (failed) found.push(`${stop.name} ${name}: ${failed.slice(0, 1500)}`);
  };
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(prefix + stop.path, { waitUntil: "networkidle" });
  await stop.open?.(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await look(`${width}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await look(`${width} dark`, rulesOfColours);
  }
  await page.emulateMedia({ forcedColors: "active" });
  await look("forced colours");
  return found;
}
