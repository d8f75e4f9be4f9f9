import type { Page } from "@playwright/test";
import { undoMs } from "@/components/ui/undo-time";

const heldMs = 1_200_000;

/**
 * Holds the time of Undo until the test lets it pass: what is looked at meanwhile may take longer than that on a slow machine. Only timers
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

/** The part of the time of Undo that passes now; all of it without a part. */
export const passUndo = (page: Page, part = 1): Promise<void> =>
  page.clock.fastForward(heldMs * part);
