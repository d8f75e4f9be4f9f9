import type { Page } from "@playwright/test";

interface Seen {
  paintedMs: number;
  textMs: number;
  shift: number;
}

export interface Load extends Seen {
  /** From the request until the first byte. */
  serverMs: number;
  screens: number;
}

/** Runs in the page: records when the largest text was painted, the last change of the text, and layout shifts. */
function watch(): void {
  const seen: Seen = { paintedMs: 0, textMs: 0, shift: 0 };
  Object.assign(window, { seen });
  const each = (type: string, keep: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(keep)).observe({
      type,
      buffered: true,
    });
  each("largest-contentful-paint", ({ startTime }) => {
    seen.paintedMs = startTime;
  });
  each("layout-shift", (entry) => {
    seen.shift += (entry as PerformanceEntry & { value: number }).value;
  });
  const hidden = (node: Node) => node.parentElement?.closest("script, style, template, [hidden]");
  const textOf = (root: Element) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let text = "";
    while (walker.nextNode())
      if (!hidden(walker.currentNode)) text += walker.currentNode.textContent;
    return text;
  };
  let before = "";
  new MutationObserver(() => {
    const main = document.querySelector("main");
    const text = main ? textOf(main) : "";
    if (text === before) return;
    before = text;
    seen.textMs = performance.now();
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Loads an address in a new tab with an empty cache, and waits until the network is idle. */
export async function load(open: () => Promise<Page>, address: string): Promise<Load> {
  const page = await open();
  await page.addInitScript(watch);
  await page.goto(address, { waitUntil: "networkidle" });
  await page.waitForTimeout(300);
  const found = await page.evaluate(() => {
    const [sent] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return {
      ...(window as unknown as { seen: Seen }).seen,
      serverMs: (sent?.responseStart ?? 0) - (sent?.requestStart ?? 0),
      screens: document.documentElement.scrollHeight / innerHeight,
    };
  });
  await page.context().close();
  return found;
}
