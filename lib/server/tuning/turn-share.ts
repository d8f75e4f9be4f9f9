/** What begins in one turn of the event loop: whichever comes first. */
const maxStarts = 48;
const maxMs = 4;

/** How much work may begin in a turn of the event loop. */
export interface TurnShare {
  /** Takes a start of this turn; false where none is left, and then `onNextTurn` is called in the next. */
  take(): boolean;
}

/**
 * Requests that arrive together do not begin together: the rest waits for the next turn, in the queue of its class. A turn is short then,
 * however many connections there are, and what waits for nothing (a health check, an answer of the store) is not behind hundreds of others.
 */
export function createTurnShare(
  onNextTurn: () => void,
  now: () => number,
  atEndOfTurn: (run: () => void) => unknown = setImmediate,
): TurnShare {
  let starts = 0;
  let since = 0;
  let isMissed = false;
  const end = () => {
    starts = 0;
    if (!isMissed) return;
    isMissed = false;
    onNextTurn();
  };
  return {
    take() {
      if (starts === 0) {
        since = now();
        atEndOfTurn(end);
      } else if (starts >= maxStarts || now() - since > maxMs) {
        isMissed = true;
        return false;
      }
      starts += 1;
      return true;
    },
  };
}
