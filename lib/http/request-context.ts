import type { Origin } from "@/lib/access/caller";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { originOf } from "./origin";

/** Whom a request turned out to come from. */
export interface RequestCaller {
  kind: "session" | "apiKey" | "bearer" | "anonymous" | "customer";
  /** `sess_...` or `key_...`; "" for shoppers and for visitors with a share. */
  credentialId: string;
  /** Only of management users, else "". */
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
  /** Set as soon as the credential is known, even when the request is rejected afterwards. */
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

/** The same request with none of the headers that a handler has added so far. */
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
