import type { Page } from "@playwright/test";
import { undoMs } from "@/components/ui/undo-time";

const heldMs = 1_200_000;

/**
 * Holds the timer of Undo until the test advances it, because checks in between may take longer on a slow machine. Only timers
 * of exactly this length are held.
 */
export async function holdUndo(page: Page): Promise<void> {
  await page.clock.install();
  await page.addInitScript(
    ([asked, held]) => {
      const { setTimeout } = window;
      const hold = (run: TimerHandler, ms?: number, ...given: unknown[]) =>
        setTimeout(run, ms === asked ? held : ms, ...given);
      Object.assign(window, { setTimeout: hold });
    },
    [undoMs, heldMs] as const,
  );
}

/** Advances the timer of Undo by this part of its time, by default all of it. */
export const passUndo = (page: Page, part = 1): Promise<void> =>
  page.clock.fastForward(heldMs * part);
