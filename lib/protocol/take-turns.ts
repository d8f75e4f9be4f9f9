/** Long enough to justify a turn of the event loop, short enough not to delay requests: each needs three or four turns. */
const turnMs = 1;

/** Loops of this process that wait for their turn. */
const waiting: (() => void)[] = [];

/** Whatever the number of long loops, one of them continues in each turn of the event loop. */
function callNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(callNext);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(callNext);
  });
}

/** Await the returned function in a long loop: it lets other work run whenever the loop has blocked the event loop for 1 ms. */
export function takeTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
