import type { Socket } from "node:net";
import type { ConnectionRoom, ServerState } from "@/lib/server/state";

/** From this share of all connections on, networks with many make room for those with few. */
const crowdedShare = 0.9;
/** A network keeps this many of its connections. */
const kept = 8;
/** The share of the other connections of the largest network that is closed at once, so that the search is rare. */
const closedShare = 0.25;

/*
 * A few dozen addresses at their limit can use all connections. When nearly all are used, the oldest ones without a
 * request in progress of the network with the most are closed: connections that only wait, or send their headers
 * slowly. Memory: one entry for each open connection.
 */

export type BusyConnections = Pick<ServerState, "open" | "visits" | "pages" | "upgraded">;

/** Connections with a request in progress, or that have switched to another protocol. */
function busySockets({ open, visits, pages, upgraded }: BusyConnections): ReadonlySet<unknown> {
  const busy = new Set<unknown>(upgraded);
  for (const { req } of [...open, ...visits, ...pages]) busy.add(req.socket);
  return busy;
}

export function createConnectionRoom(max: number, busyIn: BusyConnections): ConnectionRoom {
  const byNetwork = new Map<string, Set<Socket>>();
  let size = 0;
  const largest = () => {
    let found = new Set<Socket>();
    for (const sockets of byNetwork.values()) if (sockets.size > found.size) found = sockets;
    return found;
  };
  const makeRoom = () => {
    const sockets = largest();
    let left = Math.ceil((sockets.size - kept) * closedShare);
    if (left <= 0) return;
    const busy = busySockets(busyIn);
    // A set keeps the order in which connections were opened.
    for (const socket of sockets) {
      if (left === 0) return;
      if (socket.destroyed || busy.has(socket)) continue;
      socket.destroy();
      left -= 1;
    }
  };
  return {
    add(network, socket) {
      const sockets = byNetwork.get(network) ?? new Set();
      byNetwork.set(network, sockets.add(socket));
      size += 1;
      socket.once("close", () => {
        size -= 1;
        sockets.delete(socket);
        if (sockets.size === 0 && byNetwork.get(network) === sockets) byNetwork.delete(network);
      });
      if (size > max * crowdedShare) makeRoom();
    },
  };
}
