import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, BlockList } from "node:net";
import { failure } from "@/lib/http/failure";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { answerError, type Desk, handle, openExchange, sweep } from "./exchange";
import { type Framed, frame, pageMethodNotAllowed } from "./framing";
import { setHeader } from "./headers";
import { limits as contractLimits, type Limits } from "./limits";
import { openPage, type Pages } from "./pages";
import { peerOf } from "./peer";
import { onClientError, refuseRaw } from "./refuse";
import { requestIdOf } from "./request-id";
import { type Handler, type Handlers, isMethod, type Route, type RouteTable } from "./routes";
import { notFound } from "./target";
import { continueOnRead } from "./unread";

declare global {
  /** Set once a door stands before the handlers: only then are its headers believed. */
  var gatehouseDoor: boolean | undefined;
}

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
  /** Stops accepting, lets what is in flight finish, and cuts off what has not finished after the shutdown time. */
  close(): Promise<void>;
}

/** Node's parser reads methods that no operation has; the resource itself knows which ones it has. */
function methodNotAllowed(method: string | undefined, handlers: Handlers): Handler {
  return async (request) => {
    const options = await handlers.OPTIONS(request);
    const allow = options.headers.get("allow");
    if (allow === null) return options;
    return failure(
      new ApiError(
        "request.method-not-allowed",
        `The resource does not support ${method}.`,
        allow,
        { headers: { Allow: allow } },
      ),
      request,
    );
  };
}

function handlerOf(method: string | undefined, handlers: Handlers): Handler {
  return isMethod(method) ? handlers[method] : methodNotAllowed(method, handlers);
}

/** Whoever restarts what does not live must not take a busy process for a dead one. */
const liveness = "/healthz";

function refuseUnlessRoom(desk: Desk, route: Route | undefined): ApiError | undefined {
  if (desk.open.size < desk.limits.inProgress || route?.template === liveness) return undefined;
  return new ApiError(
    "server.overloaded",
    "The server has too much to do. Try again in a second.",
    undefined,
    {
      headers: { "Retry-After": "1" },
    },
  );
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
  setHeader(req, "x-gatehouse-peer", peerOf(req, options.trusted));
  const page = framed && !framed.route ? options.pages : undefined;
  if (page) openPage(desk, page, req, res, options.trusted);
  else answerRequest(desk, req, res, framed?.route, requestId, refused);
}

function answerRequest(
  desk: Desk,
  req: IncomingMessage,
  res: ServerResponse,
  route: Route | undefined,
  requestId: string,
  refused: unknown,
): void {
  const error = refused ?? refuseUnlessRoom(desk, route);
  const exchange = openExchange(desk, req, res, route, requestId);
  if (error || !route) {
    answerError(desk, exchange, error ?? notFound(req.url ?? ""));
    return;
  }
  if (req.headers.expect !== undefined) continueOnRead(req, res);
  handle(desk, exchange, handlerOf(req.method, route.handlers)).catch((failed: unknown) => {
    log().error({ requestId, err: failed }, "an answer could not be sent");
    res.destroy();
  });
}

function makeServer(desk: Desk, options: DoorOptions): Server {
  const { limits } = desk;
  const server = createServer({
    maxHeaderSize: limits.parser,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.headersMs + limits.bodyMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // Its absence is answered by the door, in JSON.
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
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

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => resolve(server.address() as AddressInfo));
  });
}

async function closeDoor(desk: Desk, server: Server): Promise<void> {
  desk.isStopping = true;
  for (const page of desk.pages) if (!page.headersSent) page.shouldKeepAlive = false;
  for (const socket of desk.upgraded) socket.destroy();
  const closed = new Promise((resolve) => server.close(resolve));
  const end = performance.now() + desk.limits.shutdownMs;
  while (
    performance.now() < end &&
    (server.listening || desk.open.size > 0 || desk.pages.size > 0)
  ) {
    server.closeIdleConnections();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  server.closeIdleConnections();
  const cutOff = setTimeout(
    () => server.closeAllConnections(),
    Math.max(0, end - performance.now()),
  );
  await closed;
  clearTimeout(cutOff);
}

/** Opens the one HTTP server: frames every request, answers the interface from `routes`, hands the rest to `pages`. */
export async function startDoor(options: DoorOptions): Promise<Door> {
  const desk: Desk = {
    limits: { ...contractLimits, ...options.limits },
    open: new Set(),
    pages: new Set(),
    upgraded: new Set(),
    isStopping: false,
  };
  const host = options.host ?? "127.0.0.1";
  const server = makeServer(desk, options);
  const { port } = await listen(server, options.port, host);
  globalThis.gatehouseDoor = true;
  const sweeping = setInterval(() => sweep(desk), desk.limits.sweepMs).unref();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: () => closeDoor(desk, server).finally(() => clearInterval(sweeping)),
  };
}
