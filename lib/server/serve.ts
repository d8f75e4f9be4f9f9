import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { errorResponse } from "@/lib/http/error-response";
import { trustPeerHeader } from "@/lib/http/origin";
import { withoutAddedHeaders } from "@/lib/http/request-context";
import { withUnreportedContext } from "@/lib/http/with-request-context";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { createAddressLimits } from "./address-limits";
import { classOf, createAdmission } from "./admission";
import { isFull } from "./arriving";
import {
  admitConnection,
  anonymousRefusal,
  clientOf,
  tooManyRequests,
  widestNetwork,
} from "./clients";
import { watchEventLoop } from "./event-loop";
import { answerError, handle, openExchange, sweep } from "./exchange";
import { type Framed, frame, pageMethodNotAllowed } from "./framing";
import { setHeader } from "./headers";
import { limits as contractLimits, type Limits } from "./limits";
import { closeServer, listen } from "./listening";
import { openPage, type Pages, sweepPages } from "./pages";
import { onClientError, overloaded, refuseRaw } from "./refuse";
import { requestIdOf } from "./request-id";
import { type Handler, type Handlers, isMethod, type RouteTable } from "./routes";
import { SecureResponse } from "./secure-response";
import type { Client, Desk, Exchange } from "./state";
import { notFound } from "./target";
import { continueOnRead } from "./unread";

export interface DoorOptions {
  port: number;
  host?: string;
  /** Without a table every path goes to the pages, framed the same: development. */
  routes?: RouteTable;
  pages?: Pages;
  trusted?: BlockList | undefined;
  limits?: Partial<Limits>;
}

export interface Door {
  url: string;
  /**
   * Answers for so long as before, with `Connection: close`, so that balancers and clients learn of the end; then stops accepting, lets
   * what is in flight finish, and cuts off what has not finished after the shutdown time, which counts from the call. False when a
   * request was cut off.
   */
  close(drainMs?: number): Promise<boolean>;
}

/** Node's parser reads methods that no operation has; the resource itself knows which ones it has. */
function methodNotAllowed(method: string | undefined, handlers: Handlers): Handler {
  return withUnreportedContext(async (request, context) => {
    const options = await handlers.OPTIONS(request, withoutAddedHeaders(context));
    const allow = options.headers.get("allow");
    if (allow === null) return options;
    return errorResponse(
      new ApiError(
        "request.method-not-allowed",
        `The resource does not support ${method}.`,
        allow,
        { headers: { Allow: allow } },
      ),
      request,
      context,
    );
  });
}

function handlerOf(method: string | undefined, handlers: Handlers): Handler {
  return isMethod(method) ? handlers[method] : methodNotAllowed(method, handlers);
}

interface Request {
  req: IncomingMessage;
  res: ServerResponse;
  client: Client;
  framed: Framed | undefined;
  refused: unknown;
}

function receive(
  desk: Desk,
  options: DoorOptions,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  let framed: Framed | undefined;
  let refused: unknown;
  try {
    framed = frame(req, desk.limits, options.routes);
  } catch (error) {
    refused = error;
  }
  const requestId = requestIdOf(req.headers["x-service-request-id"]);
  if (req.headers["x-service-request-id"] !== requestId)
    setHeader(req, "x-service-request-id", requestId);
  const client = clientOf(req, options.trusted);
  setHeader(req, "x-gatehouse-peer", client.address);
  const page = framed && !framed.route ? options.pages : undefined;
  if (page) openPage(desk, page, { req, res, client, trusted: options.trusted });
  else answerRequest(desk, { req, res, client, framed, refused }, requestId);
}

/** Whether the address or the process has too much in progress. Health is never asked that. */
function loadRefusal(desk: Desk, { loadClass, isCounted }: Exchange): ApiError | undefined {
  if (loadClass === "health") return undefined;
  if (!isCounted) return tooManyRequests();
  return isFull(desk) ? overloaded() : undefined;
}

function answerRequest(
  desk: Desk,
  { req, res, client, framed, refused }: Request,
  requestId: string,
): void {
  const route = framed?.route;
  const loadClass = route ? classOf(route, req.method ?? "GET") : "management";
  const exchange = openExchange(desk, { req, res, route, requestId, client, loadClass });
  const refuse = (error: unknown) => answerError(desk, exchange, error);
  const error =
    refused ?? loadRefusal(desk, exchange) ?? (route ? undefined : notFound(req.url ?? ""));
  const anonymous =
    error || loadClass === "health" ? undefined : anonymousRefusal(desk, req, client);
  if (error) refuse(error);
  else if (route && !anonymous) admit(desk, exchange, handlerOf(req.method, route.handlers));
  else if (route)
    void anonymous?.then((error) =>
      error ? refuse(error) : admit(desk, exchange, handlerOf(req.method, route.handlers)),
    );
}

/** Calls the handler as soon as the request's class has room. */
function admit(desk: Desk, exchange: Exchange, handler: Handler): void {
  const { req, res, context, loadClass } = exchange;
  const run = () => {
    if (res.destroyed) {
      // The client went away while it waited: its place is given on, and nobody reads the answer.
      desk.admission.pause(loadClass);
      answerError(desk, exchange, overloaded());
      return;
    }
    if (req.headers.expect !== undefined) continueOnRead(req, res);
    handle(desk, exchange, handler).catch((failed: unknown) => {
      log().error(
        { requestId: context.origin.requestId, err: failed },
        "an answer could not be sent",
      );
      res.destroy();
    });
  };
  const refuse = () => answerError(desk, exchange, overloaded());
  desk.admission.enter(loadClass, run, refuse, widestNetwork(exchange.client));
}

function makeServer(desk: Desk, options: DoorOptions): Server {
  const { limits } = desk;
  const server = createServer({
    ServerResponse: SecureResponse,
    maxHeaderSize: limits.parser,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.headersMs + limits.bodyMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // Its absence is answered by the door, in JSON.
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connections;
  server.on("connection", (socket) => {
    if (!admitConnection(desk, socket, options.trusted)) socket.destroy();
  });
  const onRequest = (req: IncomingMessage, res: ServerResponse) => receive(desk, options, req, res);
  for (const event of ["request", "checkContinue", "checkExpectation"]) server.on(event, onRequest);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    onClientError(desk, error, socket),
  );
  server.on("connect", (_req, socket) => {
    void refuseRaw(socket, pageMethodNotAllowed("CONNECT"));
  });
  const { upgrade } = options.pages ?? {};
  if (upgrade) {
    server.on("upgrade", (req, socket, head) => {
      desk.upgraded.add(socket);
      socket.once("close", () => desk.upgraded.delete(socket));
      upgrade(req, socket, head);
    });
  }
  return server;
}

/** The server's one timer: timeouts, queues and limits. */
function sweepAll(desk: Desk): void {
  const now = performance.now();
  desk.loop.beat(now);
  desk.admission.adjust(desk.loop.takeDelayMs());
  sweepPages(desk, now);
  sweep(desk, now);
}

/** Opens the one HTTP server: frames every request, answers the interface from `routes`, hands the rest to `pages`. */
export async function startDoor(options: DoorOptions): Promise<Door> {
  const limits = { ...contractLimits, ...options.limits };
  const desk: Desk = {
    limits,
    open: new Set(),
    pages: new Set(),
    visits: new Set(),
    arriving: new Set(),
    addresses: createAddressLimits({
      connections: limits.connectionsPerAddress,
      requests: limits.requestsPerAddress,
      anonymousPerMinute: limits.anonymousPerMinute,
    }),
    admission: createAdmission(),
    loop: watchEventLoop(limits.sweepMs),
    upgraded: new Set(),
    isStopping: false,
  };
  const host = options.host ?? "127.0.0.1";
  const server = makeServer(desk, options);
  const { port } = await listen(server, options.port, host);
  trustPeerHeader();
  const sweeping = setInterval(() => sweepAll(desk), desk.limits.sweepMs).unref();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: (drainMs = 0) =>
      closeServer(desk, server, drainMs).finally(() => {
        clearInterval(sweeping);
        desk.loop.stop();
      }),
  };
}
