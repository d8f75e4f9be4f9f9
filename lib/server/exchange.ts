import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { failure } from "@/lib/http/failure";
import { isForPages, openToPage } from "@/lib/http/identify-shopper";
import { markExchange } from "@/lib/http/request-caller";
import { ApiError } from "@/lib/protocol/errors";
import { finish } from "./finished";
import type { Limits } from "./limits";
import type { Handler, Route } from "./routes";
import { hasBody, onFirstRead, sendUnread } from "./unread";

/** One request of the interface between its arrival and its answer. Times are performance.now(). */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  request: Request;
  route: Route | undefined;
  requestId: string;
  startedAt: number;
  hasBody: boolean;
  /** The handler has begun to read its body. */
  isAsked: boolean;
  /** The handler was seen waiting for its body. */
  isReading: boolean;
  /** When the handler had all it needs. */
  workingSince: number;
  isAnswered: boolean;
  /** The handler has not come back, though its answer may be too late. */
  isWorking: boolean;
}

/** What all exchanges of a door share. */
export interface Desk {
  limits: Limits;
  open: Set<Exchange>;
  /** Answers of pages that are not finished. */
  pages: Set<ServerResponse>;
  /** Connections that speak another protocol by now: no HTTP server closes them. */
  upgraded: Set<Duplex>;
  isStopping: boolean;
}

export function openExchange(
  desk: Desk,
  req: IncomingMessage,
  res: ServerResponse,
  route: Route | undefined,
  requestId: string,
): Exchange {
  const startedAt = performance.now();
  const exchange: Exchange = {
    req,
    res,
    request: new NodeRequest({ req, res }),
    route,
    requestId,
    startedAt,
    hasBody: hasBody(req),
    isAsked: false,
    isReading: false,
    workingSince: startedAt,
    isAnswered: false,
    isWorking: false,
  };
  if (exchange.hasBody) {
    onFirstRead(req, () => {
      exchange.isAsked = true;
    });
  }
  markExchange(exchange.request);
  desk.open.add(exchange);
  return exchange;
}

function close(desk: Desk, exchange: Exchange, status: number): void {
  if (!exchange.isWorking) desk.open.delete(exchange);
  const { request, requestId, req, route, startedAt } = exchange;
  const durationMs = performance.now() - startedAt;
  finish({
    request,
    requestId,
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
  const headers: Record<string, string> = {};
  if (isForPages(exchange.req.url ?? "")) openToPage(exchange.request, headers);
  answer(desk, exchange, failure(error, exchange.request, { headers }));
}

/** Answers a request whose body will never be whole: the connection ends, and so does the handler's wait. */
export function answerBroken(desk: Desk, exchange: Exchange, error: unknown): void {
  const { req, res } = exchange;
  res.shouldKeepAlive = false;
  res.once("close", () => req.destroy());
  answerError(desk, exchange, error);
}

/** Calls the handler and sends what it answers. */
export async function handle(desk: Desk, exchange: Exchange, handler: Handler): Promise<void> {
  exchange.isWorking = true;
  let response: Response;
  try {
    response = await handler(exchange.request);
  } catch (error) {
    response = failure(error, exchange.request);
  }
  exchange.isWorking = false;
  answer(desk, exchange, response);
}

function timeOut(desk: Desk, exchange: Exchange, now: number): ApiError | undefined {
  const { limits } = desk;
  const isReading = exchange.hasBody && !exchange.req.complete && exchange.isAsked;
  if (isReading) {
    exchange.isReading = true;
    if (now < exchange.startedAt + limits.bodyMs) return undefined;
    return new ApiError(
      "request.body-timed-out",
      `The body did not arrive within ${limits.bodyMs / 1000} seconds.`,
    );
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

/** Gives up what has waited too long: 400 for a body that does not come, 503 for a handler that does not answer. */
export function sweep(desk: Desk): void {
  const now = performance.now();
  for (const exchange of desk.open) {
    const error = exchange.isAnswered ? undefined : timeOut(desk, exchange, now);
    if (!error) continue;
    if (exchange.isReading) answerBroken(desk, exchange, error);
    else answerError(desk, exchange, error);
  }
}
