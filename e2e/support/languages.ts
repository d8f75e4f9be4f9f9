import type { BrowserContext, Page } from "@playwright/test";

/** Sets the language of the pages, as for a user who chose it before. */
export const readIn = (context: BrowserContext, language: string, baseURL: string | undefined) =>
  context.addCookies([{ name: "gatehouse-language", value: language, url: baseURL ?? "" }]);

interface ShownText {
  text: string;
  /** The part of it outside the brackets of the pseudo-locale. */
  outside: string;
}

/** The visible and accessible texts of a page, without code, keys and times. The brackets of a text may be in other elements. */
export const shownTexts = (page: Page): Promise<ShownText[]> =>
  page.evaluate(() => {
    const skipped = "script, style, noscript, code, kbd, pre, svg, option, [lang], .cm-editor";
    const isSkipped = (element: Element | null) =>
      element?.closest(skipped)?.closest("body") !== undefined &&
      element?.closest(skipped)?.closest("body") !== null;
    const found: ShownText[] = [];
    let depth = 0;
    const outsideOf = (text: string) =>
      [...text].filter((sign) => {
        const isOutside = depth === 0 && sign !== "⟦";
        depth += sign === "⟦" ? 1 : sign === "⟧" ? -1 : 0;
        return isOutside;
      });
    const add = (text: string) => {
      const outside = outsideOf(text).join("").trim();
      if (text.trim()) found.push({ text: text.trim(), outside });
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text && !isSkipped(node.parentElement)) add(node.data);
      if (!(node instanceof Element) || isSkipped(node) || depth > 0) continue;
      for (const name of ["aria-label", "placeholder", "title", "alt", "data-label"])
        add(node.getAttribute(name) ?? "");
    }
    return found;
  });

/** Elements that truncate their text without an ellipsis. */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>("*")]
      .filter((element) => {
        const { overflowX, textOverflow, position, clip } = getComputedStyle(element);
        const isForEyes = position !== "absolute" || clip === "auto";
        const hasText = [...element.childNodes].some(
          (node) => node instanceof Text && node.data.trim() !== "",
        );
        const isCut = /hidden|clip/.test(overflowX) && textOverflow === "clip";
        const isOver = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
        return isForEyes && hasText && isCut && isOver;
      })
      .map((element) => element.outerHTML.slice(0, 200)),
  );
