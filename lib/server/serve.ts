import type { Server, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { trustPeerHeader } from "@/lib/http/origin";
import type { ApiError } from "@/lib/protocol/errors";
import {
  anonymousRejection,
  clientOf,
  createAddressLimits,
  tooManyRequests,
  widestNetwork,
} from "./address-limits";
import { classOf, createAdmission } from "./admission";
import { answer, answerError, failToSend, handle, openExchange, sweep } from "./exchange";
import { type Framed, frame, notFound } from "./framing";
import { requestIdOf, setHeader } from "./headers";
import { watchAdmission } from "./health/process-measures";
import { limits as contractLimits, type Limits } from "./limits";
import { closeServer, createHttpServer, listen } from "./listening";
import { openPage, type Pages, sweepPages } from "./pages";
import { overloaded } from "./reject";
import { continueOnRead, isFull, requestTimeoutMs, type WatchedRequest } from "./request-bodies";
import { type Handler, handlerOf, type RouteTable } from "./routes";
import type { Client, Exchange, ServerState } from "./state";
import { Roster } from "./state";
import { type BusyConnections, createConnectionRoom } from "./tuning/connection-room";
import { createDeparting } from "./tuning/departing";
import { watchEventLoop } from "./tuning/event-loop";
import { copyListener } from "./tuning/listener-copies";
import { disableIdleContexts, trackContexts } from "./tuning/page-contexts";

export interface ServerOptions {
  port: number;
  host?: string;
  /** Without a table (in development) all paths are served by the pages, with the same framing. */
  routes?: RouteTable;
  pages?: Pages;
  trusted?: BlockList | undefined;
  limits?: Partial<Limits>;
  /** An already listening socket, from which other processes accept connections, too. */
  socket?: unknown;
  /** The number of copies of the listening socket that accept connections, too. */
  listenerCopies?: number;
}

export interface RunningServer {
  url: string;
  /** Resolves when the copies of the listening socket accept connections. */
  copied: Promise<void>;
  connections(): number;
  /** Closes this many connections after their next response, so that clients reconnect: other processes accept on the same port. */
  shed(count: number): void;
  /**
   * Serves for the drain time, with `Connection: close`, so that balancers and clients detect the end; then stops accepting, lets
   * requests in flight finish, and closes those that have not finished after the shutdown time, counted from the call. False if a
   * request was closed.
   */
  close(drainMs?: number): Promise<boolean>;
}

interface Request {
  req: WatchedRequest;
  res: ServerResponse;
  client: Client;
  framed: Framed | undefined;
  rejected: unknown;
}

function receive(
  state: ServerState,
  options: ServerOptions,
  req: WatchedRequest,
  res: ServerResponse,
): void {
  let framed: Framed | undefined;
  let rejected: unknown;
  try {
    framed = frame(req, state.limits, options.routes);
  } catch (error) {
    rejected = error;
  }
  const requestId = requestIdOf(req.headers["x-service-request-id"]);
  if (req.headers["x-service-request-id"] !== requestId)
    setHeader(req, "x-service-request-id", requestId);
  const client = clientOf(req, options.trusted);
  setHeader(req, "x-gatehouse-peer", client.address);
  const page = framed && !framed.route ? options.pages : undefined;
  if (page) openPage(state, page, { req, res, client, trusted: options.trusted });
  else answerRequest(state, { req, res, client, framed, rejected }, requestId);
}

/** The rejection if the address or the process has too many requests in progress. Health is exempt. */
function loadRejection(
  state: ServerState,
  { loadClass, isCounted }: Exchange,
): ApiError | undefined {
  if (loadClass === "health") return undefined;
  if (!isCounted) return tooManyRequests();
  return isFull(state) ? overloaded() : undefined;
}

function answerRequest(
  state: ServerState,
  { req, res, client, framed, rejected }: Request,
  requestId: string,
): void {
  const route = framed?.route;
  const loadClass = route ? classOf(route, req.method ?? "GET") : "management";
  const exchange = openExchange(state, { req, res, route, requestId, client, loadClass });
  const reject = (error: unknown) => answerError(state, exchange, error);
  const error =
    rejected ?? loadRejection(state, exchange) ?? (route ? undefined : notFound(req.url ?? ""));
  const anonymous =
    error || loadClass === "health" ? undefined : anonymousRejection(state, req, client);
  if (error) reject(error);
  else if (route && !anonymous) admit(state, exchange, handlerOf(req.method, route.handlers));
  else if (route)
    void anonymous?.then((error) =>
      error ? reject(error) : admit(state, exchange, handlerOf(req.method, route.handlers)),
    );
}

/** Calls the handler as soon as the request's class has room. */
function admit(state: ServerState, exchange: Exchange, handler: Handler): void {
  const { req, res, loadClass } = exchange;
  const run = () => {
    if (res.destroyed) {
      // The client disconnected while it waited: its place is released, and the response is not read.
      state.admission.pause(loadClass);
      answerError(state, exchange, overloaded());
      return;
    }
    if (req.headers.expect !== undefined) continueOnRead(req, res);
    handle(state, exchange, handler).catch((error: unknown) => failToSend(exchange, error));
  };
  const reject = () => answerError(state, exchange, overloaded());
  state.admission.admit(loadClass, run, reject, widestNetwork(exchange.client));
}

/** The initial shared state of a server's exchanges. */
function createState(limits: Limits): ServerState {
  const busy: BusyConnections = {
    open: new Roster(),
    pages: new Set(),
    visits: new Set(),
    upgraded: new Set(),
  };
  const state: ServerState = {
    ...busy,
    limits,
    connected: 0,
    toShed: 0,
    arriving: new Roster(),
    addresses: createAddressLimits({
      ...limits,
      connections: limits.connectionsPerAddress,
      requests: limits.requestsPerAddress,
    }),
    connections: createConnectionRoom(limits.connections, busy),
    admission: createAdmission(undefined, undefined, limits),
    departing: createDeparting(
      (exchange, response) => answer(state, exchange, response),
      failToSend,
    ),
    loop: watchEventLoop(limits.sweepMs),
    isStopping: false,
  };
  return state;
}

/** The server's one timer: timeouts, queues and limits. */
function sweepAll(state: ServerState, server: Server): void {
  const now = performance.now();
  server.requestTimeout = requestTimeoutMs(state);
  state.loop.beat(now);
  state.admission.adjust(state.loop.takeDelayMs());
  sweepPages(state, now);
  sweep(state, now);
  disableIdleContexts(state.pages.size > 0, now);
}

/** Opens the one HTTP server: frames every request, serves the interface from `routes`, passes the rest to `pages`. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const state = createState({ ...contractLimits, ...options.limits });
  watchAdmission(state.admission);
  // In development Next serves the interface, too: its contexts are always in use.
  if (options.routes) trackContexts();
  const host = options.host ?? "127.0.0.1";
  const server = createHttpServer(state, {
    trusted: options.trusted,
    onRequest: (req, res) => receive(state, options, req, res),
    upgrade: options.pages?.upgrade,
  });
  const { port } = await listen(server, options.port, host, options.socket);
  trustPeerHeader();
  const copies = copyListener(server, options.listenerCopies ?? 0);
  const sweeping = setInterval(() => sweepAll(state, server), state.limits.sweepMs).unref();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    copied: copies.made,
    connections: () => state.connected,
    shed: (count) => {
      state.toShed = count;
    },
    close: (drainMs = 0) =>
      closeServer(state, server, drainMs, copies).finally(() => {
        clearInterval(sweeping);
        state.loop.stop();
      }),
  };
}
