import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import type { RequestContext } from "./request-context";

/** One answered request of the API, reported once, when its status is final. */
export interface CompletedRequest {
  request: Request;
  context: RequestContext;
  method: string;
  /** The route's path with {variables}; undefined when no route matched. */
  template: string | undefined;
  status: number;
  durationMs: number;
}

type Listener = (completed: CompletedRequest) => void;

const listeners = perProcess("completed-request-listeners", () => new Set<Listener>());

/** Calls the listener for each answered request, on the request's path: keep it to counting in memory. */
export function onCompletedRequest(listener: Listener): void {
  listeners().add(listener);
}

export function reportCompletedRequest(completed: CompletedRequest): void {
  for (const listener of listeners()) listener(completed);
  const logger = log();
  if (!logger.isLevelEnabled("debug")) return;
  const { context, method, template, status, durationMs } = completed;
  const { requestId } = context.origin;
  logger.debug(
    { requestId, method, template, status, ms: Math.round(durationMs * 10) / 10 },
    "answered",
  );
}
