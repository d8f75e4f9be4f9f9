import type { ServerResponse } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { errorResponse } from "@/lib/http/error-response";
import { isForPages, openToPage } from "@/lib/http/identify";
import {
  createRequestContext,
  reportCompletedRequest,
  withoutAddedHeaders,
} from "@/lib/http/request-context";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { cut } from "@/lib/protocol/text";
import { addSpan, beginTrace, finishTrace, withTrace } from "@/lib/protocol/tracing";
import { countAnonymous } from "./address-limits";
import type { LoadClass } from "./admission";
import {
  awaitRest,
  bodyTimeOut,
  hasBody,
  sendUnread,
  startOfBody,
  tooManyBodies,
  type WatchedRequest,
} from "./request-bodies";
import { type Handler, type Route, readsLines } from "./routes";
import type { Client, Exchange, ServerState } from "./state";

export interface Arrived {
  req: WatchedRequest;
  res: ServerResponse;
  route: Route | undefined;
  requestId: string;
  client: Client;
  loadClass: LoadClass;
}

export function openExchange(
  state: ServerState,
  { req, res, route, requestId, client, loadClass }: Arrived,
): Exchange {
  const agent = cut(req.headers["user-agent"] ?? "", 256, "");
  const context = createRequestContext({ requestId, address: client.address, agent });
  const exchange: Exchange = {
    req,
    res,
    request: new NodeRequest({ req, res }),
    route,
    context,
    trace: loadClass === "health" ? undefined : beginTrace(req.headers.traceparent?.toString()),
    answeredAt: undefined,
    hasBody: hasBody(req),
    client,
    loadClass,
    isCounted: loadClass !== "health" && state.addresses.acquire("requests", client.networks),
    body: undefined,
    isReading: false,
    isPaused: false,
    pausedMs: 0,
    workingSince: context.startedAt,
    isAnswered: false,
    isWorking: false,
    place: -1,
  };
  // Most often the end of the body has already been received, and is parsed in this turn of the event loop.
  if (exchange.hasBody) req.onFirstRead(() => setImmediate(awaitBody, state, exchange));
  state.open.add(exchange);
  return exchange;
}

/** While the rest of a body arrives, other requests may use this request's place. */
function awaitBody(state: ServerState, exchange: Exchange): void {
  const { admission } = state;
  const { req, route, loadClass } = exchange;
  if (req.complete || req.destroyed || !exchange.isWorking) return;
  const pausedAt = performance.now();
  exchange.body = startOfBody(req, pausedAt, readsLines(route, req.method));
  exchange.isPaused = true;
  admission.pause(loadClass);
  awaitRest(state, {
    ...{ req, res: exchange.res, body: exchange.body },
    cutOff: () => answerBroken(state, exchange, tooManyBodies()),
  });
  req.once("end", () => {
    if (!exchange.isWorking) return;
    Object.assign(exchange, { isPaused: false, pausedMs: performance.now() - pausedAt });
    admission.resume(loadClass);
  });
}

function finishRequestTrace(
  { trace, context, req, route, answeredAt }: Exchange,
  status: number,
): void {
  if (!trace) return;
  const method = req.method ?? "GET";
  if (answeredAt !== undefined) addSpan(trace, { name: "send the response", startMs: answeredAt });
  finishTrace(trace, {
    name: `${method} ${route?.template ?? "(no operation)"}`,
    startMs: context.startedAt,
    isError: status >= 500,
    attributes: {
      "http.request.method": method,
      "http.route": route?.template,
      "http.response.status_code": status,
      "error.type": context.error?.code,
      "gatehouse.request_id": context.origin.requestId,
    },
  });
}

function close(state: ServerState, exchange: Exchange, status: number): void {
  if (!exchange.isWorking) state.open.delete(exchange);
  if (exchange.isCounted) state.addresses.release("requests", exchange.client.networks);
  // A sign-in that was not checked because of load counts as failed: otherwise it would cost its sender nothing.
  const isUnchecked = exchange.context.error?.code === "auth.busy";
  const isRejected =
    status === 429 || (status === 503 && !isUnchecked) || exchange.loadClass === "health";
  if (!isRejected && !exchange.context.caller) countAnonymous(state, exchange.client);
  const { request, context, req, route } = exchange;
  if (exchange.trace) finishRequestTrace(exchange, status);
  const durationMs = performance.now() - context.startedAt;
  reportCompletedRequest({
    request,
    context,
    method: req.method ?? "GET",
    template: route?.template,
    status,
    durationMs,
  });
}

/** Whether this connection is to be closed so that another process can accept it. */
function isShed(state: ServerState): boolean {
  if (state.toShed === 0) return false;
  state.toShed -= 1;
  return true;
}

/** Sends the response of an exchange; a later one is dropped. */
export function answer(state: ServerState, exchange: Exchange, response: Response): void {
  const { req, res } = exchange;
  if (exchange.isAnswered) {
    if (!exchange.isWorking) state.open.delete(exchange);
    return;
  }
  exchange.isAnswered = true;
  if (exchange.trace) exchange.answeredAt = performance.now();
  const { status } = response;
  if (res.destroyed) {
    close(state, exchange, status);
    return;
  }
  if (state.isStopping || isShed(state)) res.shouldKeepAlive = false;
  const sent =
    exchange.hasBody && !req.complete
      ? sendUnread(req, res, response, state.limits)
      : sendNodeResponse(res, response);
  // A stream that fails after its headers were sent can only be aborted: the client must not consider it complete.
  Promise.resolve(sent).catch(() => res.destroy());
  if (res.writableEnded) close(state, exchange, status);
  else res.once("close", () => close(state, exchange, status));
}

/** Responds to a request that no handler could. Pages of shops may read it, like every error of consumer paths. */
export function answerError(state: ServerState, exchange: Exchange, error: unknown): void {
  // A separate context: a handler that is still running changes only the dropped response's context.
  const context = withoutAddedHeaders(exchange.context);
  if (!exchange.isAnswered) exchange.context = context;
  if (isForPages(exchange.req.url ?? "")) openToPage(exchange.request, context);
  answer(state, exchange, errorResponse(error, exchange.request, context));
}

/** Responds to a request whose body will never be complete: ends the connection, and the handler's wait. */
export function answerBroken(state: ServerState, exchange: Exchange, error: unknown): void {
  const { req, res } = exchange;
  res.shouldKeepAlive = false;
  res.once("close", () => req.destroy());
  answerError(state, exchange, error);
}

/** Closes the connection of a response that cannot be sent, so that its client does not wait. */
export function failToSend({ context, res }: Exchange, error: unknown): void {
  log().error({ requestId: context.origin.requestId, err: error }, "an answer could not be sent");
  res.destroy();
}

/** Calls the handler of an admitted request and sends its response. */
export async function handle(
  state: ServerState,
  exchange: Exchange,
  handler: Handler,
): Promise<void> {
  const startedAt = performance.now();
  Object.assign(exchange, { isWorking: true, workingSince: startedAt });
  const { trace } = exchange;
  addSpan(trace, { name: "wait for admission", startMs: exchange.context.startedAt });
  const work = () => handler(exchange.request, exchange.context);
  let response: Response;
  try {
    response = await (trace ? withTrace(trace, work) : work());
  } catch (error) {
    response = errorResponse(error, exchange.request, exchange.context);
  }
  addSpan(trace, { name: "handle", startMs: startedAt });
  exchange.isWorking = false;
  const now = performance.now();
  if (!exchange.isPaused)
    state.admission.release(exchange.loadClass, now - startedAt - exchange.pausedMs);
  // Health is reported at once, however many requests wait.
  if (exchange.loadClass === "health") answer(state, exchange, response);
  else state.departing.add(exchange, response, now);
}

function timeOut(state: ServerState, exchange: Exchange, now: number): ApiError | undefined {
  const { limits } = state;
  if (exchange.body && !exchange.req.complete) {
    exchange.isReading = true;
    return bodyTimeOut(state, exchange.req, exchange.body, now);
  }
  if (exchange.isReading) [exchange.isReading, exchange.workingSince] = [false, now];
  const isMetrics = exchange.route?.template.startsWith("/v1/api-metrics/");
  if (now < exchange.workingSince + (isMetrics ? limits.metricsHandlerMs : limits.handlerMs))
    return undefined;
  return new ApiError(
    "request.timed-out",
    "The request took too long and was given up.",
    undefined,
    { headers: { "Retry-After": "1" } },
  );
}

/** Ends requests that have timed out: 400 for a body that does not arrive, 503 for a handler that does not respond. */
export function sweep(state: ServerState, now: number): void {
  for (const exchange of state.open) {
    // A queued request is rejected by its queue.
    const isWaiting = exchange.isAnswered || !exchange.isWorking;
    const error = isWaiting ? undefined : timeOut(state, exchange, now);
    if (!error) continue;
    if (exchange.isReading) answerBroken(state, exchange, error);
    else answerError(state, exchange, error);
  }
}
