import type { Exchange } from "./state";

/** So many answers are sent at once, whatever else there is to do. */
const maxWaiting = 64;
/** An answer waits no longer for others that may come. */
const maxWaitMs = 2;

/**
 * Answers that are ready and leave together, at the end of the event loop's turn. To send one is a system call that wakes its reader:
 * on a machine with few processors the reader then takes the processor away in the middle of the turn, each time. An answer that
 * comes alone leaves in the same turn, too; one of many waits for at most 2 ms or 64 others.
 */
export interface Departing {
  /** Sends it soon. `now`: performance.now(). */
  add(exchange: Exchange, response: Response, now: number): void;
}

export function createDeparting(
  send: (exchange: Exchange, response: Response) => void,
  atEndOfTurn: (run: () => void) => unknown = setImmediate,
): Departing {
  let waiting: [Exchange, Response][] = [];
  let since = 0;
  const sendAll = () => {
    const leaving = waiting;
    waiting = [];
    for (const [exchange, response] of leaving) send(exchange, response);
  };
  return {
    add(exchange, response, now) {
      if (waiting.length === 0) {
        since = now;
        atEndOfTurn(sendAll);
      }
      waiting.push([exchange, response]);
      if (waiting.length >= maxWaiting || now - since > maxWaitMs) sendAll();
    },
  };
}
