import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { reportCompletedRequest } from "@/lib/http/completed-request";
import { errorResponse } from "@/lib/http/error-response";
import { isForPages, openToPage } from "@/lib/http/identify-shopper";
import { createRequestContext, withoutAddedHeaders } from "@/lib/http/request-context";
import { ApiError } from "@/lib/protocol/errors";
import type { LoadClass } from "./admission";
import { awaitRest } from "./arriving";
import { bodyTimeOut, startOfBody, tooManyBodies } from "./body-arrival";
import { countAnonymous } from "./clients";
import type { Handler, Route } from "./routes";
import type { Client, Desk, Exchange } from "./state";
import { hasBody, onFirstRead, sendUnread } from "./unread";

export interface Arrived {
  req: IncomingMessage;
  res: ServerResponse;
  route: Route | undefined;
  requestId: string;
  client: Client;
  loadClass: LoadClass;
}

export function openExchange(
  desk: Desk,
  { req, res, route, requestId, client, loadClass }: Arrived,
): Exchange {
  const agent = (req.headers["user-agent"] ?? "").slice(0, 256);
  const context = createRequestContext({ requestId, address: client.address, agent });
  const exchange: Exchange = {
    req,
    res,
    request: new NodeRequest({ req, res }),
    route,
    context,
    hasBody: hasBody(req),
    client,
    loadClass,
    isCounted: loadClass !== "health" && desk.addresses.acquire("requests", client.networks),
    body: undefined,
    isReading: false,
    isPaused: false,
    pausedMs: 0,
    workingSince: context.startedAt,
    isAnswered: false,
    isWorking: false,
  };
  if (exchange.hasBody) {
    onFirstRead(req, () => awaitBody(desk, exchange));
  }
  desk.open.add(exchange);
  return exchange;
}

/** While the rest of a body is on its way, others may have this request's place. */
function awaitBody(desk: Desk, exchange: Exchange): void {
  const { admission } = desk;
  const { req, loadClass } = exchange;
  const pausedAt = performance.now();
  exchange.body = startOfBody(req, pausedAt);
  if (req.complete || !exchange.isWorking) return;
  exchange.isPaused = true;
  admission.pause(loadClass);
  awaitRest(desk, {
    ...{ req, res: exchange.res, body: exchange.body },
    cutOff: () => answerBroken(desk, exchange, tooManyBodies()),
  });
  req.once("end", () => {
    if (!exchange.isWorking) return;
    Object.assign(exchange, { isPaused: false, pausedMs: performance.now() - pausedAt });
    admission.resume(loadClass);
  });
}

function close(desk: Desk, exchange: Exchange, status: number): void {
  if (!exchange.isWorking) desk.open.delete(exchange);
  if (exchange.isCounted) desk.addresses.release("requests", exchange.client.networks);
  const isRefused = status === 429 || status === 503 || exchange.loadClass === "health";
  if (!isRefused && !exchange.context.caller) countAnonymous(desk, exchange.client);
  const { request, context, req, route } = exchange;
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

/** Sends the one answer of an exchange; a later one is dropped. */
export function answer(desk: Desk, exchange: Exchange, response: Response): void {
  const { req, res } = exchange;
  if (exchange.isAnswered) {
    if (!exchange.isWorking) desk.open.delete(exchange);
    return;
  }
  exchange.isAnswered = true;
  const { status } = response;
  if (res.destroyed) {
    close(desk, exchange, status);
    return;
  }
  if (desk.isStopping) res.shouldKeepAlive = false;
  const sent =
    exchange.hasBody && !req.complete
      ? sendUnread(req, res, response, desk.limits)
      : sendNodeResponse(res, response);
  // A stream that fails after its head was sent can only be cut off: the client must not take it for complete.
  Promise.resolve(sent).catch(() => res.destroy());
  if (res.writableEnded) close(desk, exchange, status);
  else res.once("close", () => close(desk, exchange, status));
}

/** What no handler could answer. A page of a shop may read it, as it may read every error of the paths made for it. */
export function answerError(desk: Desk, exchange: Exchange, error: unknown): void {
  // Of its own: what a handler still does to the former one concerns an answer that nobody gets.
  const context = withoutAddedHeaders(exchange.context);
  if (!exchange.isAnswered) exchange.context = context;
  if (isForPages(exchange.req.url ?? "")) openToPage(exchange.request, context);
  answer(desk, exchange, errorResponse(error, exchange.request, context));
}

/** Answers a request whose body will never be whole: the connection ends, and so does the handler's wait. */
export function answerBroken(desk: Desk, exchange: Exchange, error: unknown): void {
  const { req, res } = exchange;
  res.shouldKeepAlive = false;
  res.once("close", () => req.destroy());
  answerError(desk, exchange, error);
}

/** Calls the handler of an admitted request and sends what it answers. */
export async function handle(desk: Desk, exchange: Exchange, handler: Handler): Promise<void> {
  const startedAt = performance.now();
  Object.assign(exchange, { isWorking: true, workingSince: startedAt });
  let response: Response;
  try {
    response = await handler(exchange.request, exchange.context);
  } catch (error) {
    response = errorResponse(error, exchange.request, exchange.context);
  }
  exchange.isWorking = false;
  if (!exchange.isPaused)
    desk.admission.leave(exchange.loadClass, performance.now() - startedAt - exchange.pausedMs);
  answer(desk, exchange, response);
}

function timeOut(desk: Desk, exchange: Exchange, now: number): ApiError | undefined {
  const { limits } = desk;
  if (exchange.body && !exchange.req.complete) {
    exchange.isReading = true;
    return bodyTimeOut(desk, exchange.req, exchange.body, now);
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

/** Gives up what has waited too long: 400 for a body that does not come, 503 for a handler that does not answer . */
export function sweep(desk: Desk, now: number): void {
  for (const exchange of desk.open) {
    // One that waits for its turn is refused by the queue it waits in.
    const isWaiting = exchange.isAnswered || !exchange.isWorking;
    const error = isWaiting ? undefined : timeOut(desk, exchange, now);
    if (!error) continue;
    if (exchange.isReading) answerBroken(desk, exchange, error);
    else answerError(desk, exchange, error);
  }
}
