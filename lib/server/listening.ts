import type { Server } from "node:http";
import type { AddressInfo, Server as Listener } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { backlog } from "./backlog";
import type { ListenerCopies } from "./listener-copies";
import type { ServerState } from "./state";

/** Resolves when it listens, on a socket that listens already where there is one; fails when it cannot. */
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
