import { expect, type Page } from "@playwright/test";
import { atRest } from "./at-rest";

/**
 * Keeps scripts from arriving until they are let go: what is on the page then is what the server drew. The texts of a language are no
 * such script: the parser waits for them.
 */
export async function holdScripts(page: Page) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/_next\/static\/(?!texts\/).*\.js/, async (route) => {
    await gone;
    await route.continue();
  });
  return letGo;
}

/** Waits for all parts of the document, which is what the page says first. A part that comes late is hidden until the next frames. */
export const documentArrived = (page: Page) =>
  page.waitForFunction(
    () =>
      document.readyState !== "loading" && document.querySelector("div[hidden][id^='S:']") === null,
  );

/**
 * Each text and control that is shown, with its place in pixels. What a chart draws is compared by e2e/first-paint.spec.ts; what an editor
 * of text draws, scripts draw, into a box that has its size before.
 */
const placesOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Cards off the screen have an estimated height until somebody comes near them.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("tr { content-visibility: visible !important }");
    document.adoptedStyleSheets = [sheet];
    await document.fonts.ready;
    const controls = "button, input, select, textarea, img, svg, [role=progressbar]";
    const placeOf = (box: DOMRect) =>
      [box.x, box.y, box.width, box.height].map((pixels) => Math.round(pixels)).join(" ");
    const isShown = (element: Element | null) =>
      element?.checkVisibility({ visibilityProperty: true }) &&
      !element.closest("svg *, script, .cm-editor");
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!isShown(element)) continue;
      if (node instanceof Text && node.data.trim()) {
        const range = document.createRange();
        range.selectNodeContents(node);
        found.push(`${node.data.trim()} @ ${placeOf(range.getBoundingClientRect())}`);
      } else if (node instanceof Element && node.matches(controls))
        found.push(`<${node.localName}> @ ${placeOf(node.getBoundingClientRect())}`);
    }
    return found;
  });

/** Opens a page and asserts that what it shows before any script has run is what it shows when it is idle: every text, in its place. */
export async function expectFinalFirstPaint(page: Page, address: string): Promise<void> {
  // What the clock says later is no change of the page.
  await page.addInitScript((now) => {
    Date.now = () => now;
  }, Date.now());
  const letGo = await holdScripts(page);
  await page.goto(address, { waitUntil: "commit" });
  await documentArrived(page);
  const first = await placesOn(page);
  letGo();
  await page.waitForLoadState("networkidle");
  await atRest(page);
  const last = await placesOn(page);
  const moved = {
    first: first.filter((one) => !last.includes(one)),
    last: last.filter((one) => !first.includes(one)),
  };
  expect.soft(moved, address).toEqual({ first: [], last: [] });
  await page.unrouteAll();
}
