import { setImmediate as nextTurn } from "node:timers/promises";

/** Long enough to be worth a turn of the event loop, short enough that no request notices: each needs three or four turns. */
const turnMs = 1;

/** Await the function that this returns in a long loop: it lets other work run whenever the loop has held the event loop for 1 ms. */
export function takeTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
