import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, BlockList, Server as Listener } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { admitConnection } from "./address-limits";
import { pageMethodNotAllowed } from "./framing";
import { SecureResponse } from "./headers";
import { backlog } from "./limits";
import type { Pages } from "./pages";
import { onClientError, rejectRaw } from "./reject";
import { requestTimeoutMs, WatchedRequest } from "./request-bodies";
import type { ServerState } from "./state";
import type { ListenerCopies } from "./tuning/listener-copies";

interface Handed {
  trusted: BlockList | undefined;
  onRequest: (req: WatchedRequest, res: ServerResponse) => void;
  /** Handles connections that switch to another protocol. */
  upgrade: Pages["upgrade"] | undefined;
}

/** The HTTP server, which does not listen yet. */
export function createHttpServer(
  state: ServerState,
  { trusted, onRequest, upgrade }: Handed,
): Server {
  const { limits } = state;
  const server = createServer({
    IncomingMessage: WatchedRequest,
    ServerResponse: SecureResponse,
    maxHeaderSize: limits.parser,
    headersTimeout: limits.headersMs,
    requestTimeout: requestTimeoutMs(state),
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // The server itself responds to a missing one, in JSON.
    requireHostHeader: false,
  });
  Object.assign(server, { maxHeadersCount: 0 });
  server.on("connection", (socket) => {
    state.connected += 1;
    socket.once("close", () => {
      state.connected -= 1;
    });
    const isAdmitted = state.connected <= limits.connections;
    if (!isAdmitted || !admitConnection(state, socket, trusted)) socket.destroy();
  });
  for (const event of ["request", "checkContinue", "checkExpectation"]) server.on(event, onRequest);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    onClientError(state, error, socket),
  );
  server.on("connect", (_req, socket) => {
    void rejectRaw(socket, pageMethodNotAllowed("CONNECT"));
  });
  if (upgrade) {
    server.on("upgrade", (req, socket, head) => {
      state.upgraded.add(socket);
      socket.once("close", () => state.upgraded.delete(socket));
      upgrade(req, socket, head);
    });
  }
  return server;
}

/** Resolves when it listens, on the already listening socket if one is given; fails if it cannot. */
export function listen(
  server: Listener,
  port: number,
  host: string,
  socket?: unknown,
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => resolve(server.address() as AddressInfo));
    if (socket === undefined) server.listen({ port, host, backlog });
    else server.listen(socket, backlog);
  });
}

/**
 * Serves for the drain time, then stops accepting and lets what is in flight finish until the shutdown time, which counts from the call.
 * False when a request was cut off.
 */
export async function closeServer(
  state: ServerState,
  server: Server,
  drainMs: number,
  copies: ListenerCopies,
): Promise<boolean> {
  state.isStopping = true;
  const end = performance.now() + state.limits.shutdownMs;
  await pause(drainMs);
  for (const page of state.pages) if (!page.headersSent) page.shouldKeepAlive = false;
  for (const socket of state.upgraded) socket.destroy();
  copies.close();
  const closed = new Promise((resolve) => server.close(resolve));
  while (
    performance.now() < end &&
    (server.listening || state.open.size > 0 || state.pages.size > 0)
  ) {
    server.closeIdleConnections();
    await pause(20);
  }
  server.closeIdleConnections();
  let isComplete = true;
  const cutOff = setTimeout(
    () => {
      isComplete = state.open.size === 0 && state.pages.size === 0;
      server.closeAllConnections();
    },
    Math.max(0, end - performance.now()),
  );
  await closed;
  clearTimeout(cutOff);
  return isComplete;
}
