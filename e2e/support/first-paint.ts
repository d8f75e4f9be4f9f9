import { setTimeout as pause } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { atRest } from "./at-rest";
import { markUntilAwake } from "./awake";

/** How much later than the page's own scripts those arrive that they load. */
const laterMs = 300;

/**
 * Delays scripts until the returned function is called, so that the page is as the server rendered it. Scripts with the texts of a
 * language are not delayed, because the parser waits for them.
 */
export async function holdScripts(page: Page) {
  let letGo = () => {};
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    letGo = () => {
      isGone = true;
      resolve();
    };
  });
  await page.route(/\/_next\/static\/(?!texts\/).*\.js/, async (route) => {
    if (isGone) await pause(laterMs);
    await gone;
    await route.continue();
  });
  return letGo;
}

/** Waits for all parts of the document, the first content of the page. A part that is streamed late is hidden until the next frames. */
export const documentArrived = (page: Page) =>
  page.waitForFunction(
    () =>
      document.readyState !== "loading" && document.querySelector("div[hidden][id^='S:']") === null,
  );

/**
 * Waits until React has hydrated every control and the page is idle. An idle network is not enough: on a slow machine scripts
 * still run then.
 */
export async function untilIdle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(markUntilAwake);
  await page.locator("html[data-asleep]").waitFor({ state: "detached" });
  await atRest(page);
}

/** Fixes the clock of the next documents: times in them do not change, and numbers of the server do not become old. */
export const stopClock = (page: Page) =>
  page.addInitScript((now) => {
    Date.now = () => now;
  }, Date.now());

/**
 * Each visible text and control, with its position in pixels. Contents of charts are compared by e2e/first-paint.spec.ts; contents of
 * text editors are drawn by scripts, into a box of fixed size.
 */
const placesOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Cards off the screen have an estimated height until they are near the viewport.
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

/** Notes placeholders that appear from now on, in place of what the server rendered. */
const notePlaceholders = (page: Page) =>
  page.evaluate(() => {
    const placeholders: string[] = [];
    Object.assign(window, { placeholders });
    new MutationObserver((changes) => {
      for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (added instanceof Element)
          for (const one of [added, ...added.querySelectorAll("*")])
            if (one.matches(".breathe")) placeholders.push(one.className);
    }).observe(document, { childList: true, subtree: true });
  });

const placeholdersOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { placeholders: string[] }).placeholders);

/** Opens a page and asserts that it shows the same texts in the same positions before any script has run and when it is idle. */
export async function expectFinalFirstPaint(page: Page, address: string): Promise<void> {
  await stopClock(page);
  const letGo = await holdScripts(page);
  await page.goto(address, { waitUntil: "commit" });
  await documentArrived(page);
  const first = await placesOn(page);
  await notePlaceholders(page);
  letGo();
  await untilIdle(page);
  const moved = async () => {
    const last = await placesOn(page);
    return {
      first: first.filter((one) => !last.includes(one)),
      last: last.filter((one) => !first.includes(one)),
    };
  };
  // Polled, because the code of some parts arrives after the page was idle for the first time.
  await expect.configure({ soft: true }).poll(moved, address).toEqual({ first: [], last: [] });
  expect.soft(await placeholdersOf(page), `placeholders on ${address}`).toEqual([]);
  await page.unrouteAll();
}
