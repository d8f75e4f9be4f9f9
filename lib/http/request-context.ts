import type { Origin } from "@/lib/access/caller";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
import { originOf } from "./origin";

/** The authenticated caller of a request. */
export interface RequestCaller {
  kind: "session" | "apiKey" | "bearer" | "anonymous" | "customer";
  /** `sess_...` or `key_...`; "" for shoppers and for visitors with a share. */
  credentialId: string;
  /** Set for management users only, else "". */
  userId: string;
}

/**
 * One request from its arrival to its completion. The server creates it; where Next calls the handlers,
 * as in development, `withRequestContext` does. Handlers fill it in, and the metrics recorder, the log
 * and the request log read it. Plain data: modules are evaluated once per bundle.
 */
export interface RequestContext {
  readonly origin: Origin;
  /** `performance.now()` at arrival. */
  readonly startedAt: number;
  /** Set as soon as the credential is verified, even if the request is rejected afterwards. */
  caller: RequestCaller | undefined;
  /** Set once the request is answered with an error. */
  error: { code: ErrorCode; reason: string | undefined } | undefined;
  /** Sent with the response, errors included. Set them with `setResponseHeaders`. */
  readonly responseHeaders: Readonly<Record<string, string>>;
}

export function createRequestContext(origin: Origin): RequestContext {
  return {
    origin,
    startedAt: performance.now(),
    caller: undefined,
    error: undefined,
    responseHeaders: { "X-Service-Request-Id": origin.requestId },
  };
}

export const requestContextOf = ({ headers }: { headers: Pick<Headers, "get"> }): RequestContext =>
  createRequestContext(originOf(headers));

/** The same request without the headers that a handler has added. */
export const withoutAddedHeaders = (context: RequestContext): RequestContext => ({
  ...context,
  responseHeaders: { "X-Service-Request-Id": context.origin.requestId },
});

/** Next calls handlers with its own context. */
export const isRequestContext = (value: unknown): value is RequestContext =>
  typeof value === "object" && value !== null && "responseHeaders" in value;

type WithHeaders = Pick<RequestContext, "responseHeaders">;

/** Adds headers to the response; a header that is already set is replaced. */
export function setResponseHeaders(
  { responseHeaders }: WithHeaders,
  headers: Record<string, string>,
): void {
  Object.assign(responseHeaders, headers);
}

export function removeResponseHeaders(
  { responseHeaders }: WithHeaders,
  names: readonly string[],
): void {
  for (const name of names) Reflect.deleteProperty(responseHeaders, name);
}

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

/** Calls the listener for each answered request, synchronously: it must only count in memory. */
export function onCompletedRequest(listener: Listener): void {
  listeners().add(listener);
}

const state = perProcess("access-log", (): { level?: "info" | "debug" } => ({}));

/** Read once: reading a setting from the environment is too slow for every request. */
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

/** A bound handler. The server passes the context it created; Next passes its own. */
export type Respond = (request: Request, context?: unknown) => Promise<Response>;

/** Creates the context where no server did, as in development, and then also reports the completed request. */
export function withRequestContext(
  template: string | undefined,
  respond: (request: Request, context: RequestContext) => Promise<Response>,
): Respond {
  return async (request, given) => {
    if (isRequestContext(given)) return respond(request, given);
    const context = requestContextOf(request);
    const response = await respond(request, context);
    const durationMs = performance.now() - context.startedAt;
    const { method } = request;
    const { status } = response;
    reportCompletedRequest({ request, context, method, template, status, durationMs });
    return response;
  };
}

/** The same for documents, whose requests are not reported. */
export function withUnreportedContext(
  respond: (request: Request, context: RequestContext) => Promise<Response>,
): Respond {
  return (request, given) =>
    respond(request, isRequestContext(given) ? given : requestContextOf(request));
}
