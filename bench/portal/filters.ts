import type { Page } from "@playwright/test";

/** Runs in the page: measures from each keystroke in the search to the frame with the last change that it caused. */
function watchSearch(field: HTMLElement): void {
  const watched = { pressedAt: 0, paintedMs: 0 };
  Object.assign(window, { watched });
  // Letters that are not on the keyboard arrive without a key event.
  field.addEventListener("beforeinput", ({ timeStamp }) => {
    Object.assign(watched, { pressedAt: timeStamp, paintedMs: 0 });
  });
  const main = field.closest("main");
  if (!main) throw new Error("The search is not in the page.");
  new MutationObserver(() => {
    const { pressedAt } = watched;
    if (pressedAt === 0) return;
    // The frame after the one with the change: it has been painted.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (watched.pressedAt === pressedAt) watched.paintedMs = performance.now() - pressedAt;
      }),
    );
  }).observe(main, { subtree: true, childList: true, characterData: true });
}

/** Types the words key by key; returns the times of the keystrokes that changed something. */
export async function filterIn(page: Page, address: string, words: string[]): Promise<number[]> {
  await page.goto(address, { waitUntil: "networkidle" });
  const field = page.getByRole("main").getByRole("searchbox").first();
  if ((await field.count()) === 0) return [];
  await field.evaluate(watchSearch);
  const times: number[] = [];
  for (const word of words) {
    await field.fill("");
    await page.waitForTimeout(700);
    for (const key of word) {
      await field.pressSequentially(key);
      await page.waitForTimeout(700);
      times.push(
        await page.evaluate(
          () => (window as unknown as { watched: { paintedMs: number } }).watched.paintedMs,
        ),
      );
    }
  }
  return times.filter((one) => one > 0);
}
