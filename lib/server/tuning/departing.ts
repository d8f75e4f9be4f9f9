import { noteWork } from "@/lib/protocol/per-process";
import type { Departing, Exchange } from "@/lib/server/state";

/** Maximum batch size before a flush. */
const maxWaiting = 64;
/** A response that is ready this much later than the first flushes the batch. */
const maxWaitMs = 2;

/**
 * Responses that are ready are sent together, at the end of the event loop's turn. Sending one is a system call that wakes its reader,
 * which on a machine with few CPUs preempts this process in the middle of the turn, each time. A single response is sent in the same
 * turn, too; one of many waits until its turn ends, 64 wait, or another is ready 2 ms after the first.
 */

/** `failed` is called for a response that cannot be sent; later ones are still sent. */
export function createDeparting(
  send: (exchange: Exchange, response: Response) => void,
  failed: (exchange: Exchange, error: unknown) => void,
  atEndOfTurn: (run: () => void) => unknown = setImmediate,
): Departing {
  let waiting: [Exchange, Response][] = [];
  let since = 0;
  const sendAll = () => {
    const leaving = waiting;
    waiting = [];
    if (leaving.length === 0) return;
    const startedAt = performance.now();
    for (const [exchange, response] of leaving) {
      try {
        send(exchange, response);
      } catch (error) {
        failed(exchange, error);
      }
    }
    noteWork("responses", performance.now() - startedAt);
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
