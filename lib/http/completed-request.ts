import { log } from "@/lib/protocol/log";

/** One answered request of the interface, told once, when its status is final. */
export interface Finished {
  request: Request;
  requestId: string;
  method: string;
  /** The route's path with {variables}; undefined when no route matched. */
  template: string | undefined;
  status: number;
  durationMs: number;
}

type Listener = (finished: Finished) => void;

declare global {
  var gatehouseFinished: Set<Listener> | undefined;
}

function listeners(): Set<Listener> {
  globalThis.gatehouseFinished ??= new Set();
  return globalThis.gatehouseFinished;
}

/** Calls the listener for each answered request, on its path: keep it to counting in memory. */
export function onFinished(listener: Listener): void {
  listeners().add(listener);
}

export function finish(finished: Finished): void {
  for (const listener of listeners()) listener(finished);
  const logger = log();
  if (!logger.isLevelEnabled("debug")) return;
  const { requestId, method, template, status, durationMs } = finished;
  logger.debug(
    { requestId, method, template, status, ms: Math.round(durationMs * 10) / 10 },
    "answered",
  );
}
