import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
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

const state = perProcess("access-log", (): { level?: "info" | "debug" } => ({}));

/** Read once: a setting is looked up in the environment, which takes longer than a request should. */
function accessLevel(): "info" | "debug" {
  state().level ??= setting("ACCESS_LOG") === "on" ? "info" : "debug";
  return state().level ?? "debug";
}

export function reportCompletedRequest(completed: CompletedRequest): void {
  for (const listener of listeners()) listener(completed);
  const level = accessLevel();
  if (!log().isLevelEnabled(level)) return;
  const { context, method, template, status, durationMs } = completed;
  const { origin, caller, error } = context;
  const line = {
    requestId: origin.requestId,
    method,
    template,
    status,
    code: error?.code,
    credential: caller?.credentialId || caller?.kind,
    ms: Math.round(durationMs * 10) / 10,
  };
  log()[level](line, "answered");
}
