import { readdirSync, readFileSync } from "node:fs";
import type { BrowserContext, Page } from "@playwright/test";
import { readIn, shownTexts } from "./languages";
import { expect, expectNoOverflow } from "./portal";

const folder = "components/texts/de";

/** English texts with a different German text. Words in lower case may be data, such as the domain "user". */
const englishTexts = new Set(
  readdirSync(folder).flatMap((file) => {
    const texts = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Record<string, unknown>;
    return Object.entries(texts).flatMap(([english, german]) =>
      english !== german && /^[A-Z]/.test(english) ? [english] : [],
    );
  }),
);

/** Asserts that the page in German shows no text of the catalogue in English, except names that look like one. */
export async function expectNoEnglish(page: Page, names: string[] = []): Promise<void> {
  const left = (await shownTexts(page)).filter(({ text }) => englishTexts.has(text));
  expect(left.map(({ text }) => text).filter((text) => !names.includes(text))).toEqual([]);
}

export async function expectNoOverflowAt(page: Page, widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page);
  }
}

/** Checks the open page in German and from right to left: no text is in English, nothing overflows. */
export async function expectLanguages(
  page: Page,
  context: BrowserContext,
  baseURL: string | undefined,
  names: string[] = [],
): Promise<void> {
  await readIn(context, "de", baseURL);
  await page.reload({ waitUntil: "networkidle" });
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.locator("h1").first()).toBeVisible();
  await expectNoEnglish(page, names);
  await expectNoOverflowAt(page, [390, 1440]);
  await readIn(context, "qps-rtl", baseURL);
  await page.reload({ waitUntil: "networkidle" });
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expectNoOverflowAt(page, [1440, 390]);
}
