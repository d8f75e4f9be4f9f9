/** Long enough to be worth a turn of the event loop, short enough that no request notices: each needs three or four turns. */
const turnMs = 1;

/** Loops that wait for their turn, of the whole process. */
const waiting: (() => void)[] = [];

/** However many loops are long, one of them goes on in a turn of the event loop. */
function callNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(callNext);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(callNext);
  });
}

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
