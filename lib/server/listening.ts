import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerState } from "./state";

/**
 * Connections that wait to be accepted. Of more than these the client repeats its attempt after 1, 3, 7 and 15 seconds: a burst of a
 * thousand would find the default of 511 full.
 */
const backlog = 4096;

/** Resolves when it listens; fails when it cannot. */
export function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog }, () => resolve(server.address() as AddressInfo));
  });
}

/**
 * Serves on for so long, then stops accepting and lets what is in flight finish until the shutdown time, which counts from the call.
 * False when a request was cut off.
 */
export async function closeServer(
  state: ServerState,
  server: Server,
  drainMs: number,
): Promise<boolean> {
  state.isStopping = true;
  const end = performance.now() + state.limits.shutdownMs;
  await pause(drainMs);
  for (const page of state.pages) if (!page.headersSent) page.shouldKeepAlive = false;
  for (const socket of state.upgraded) socket.destroy();
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
