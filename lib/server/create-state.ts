import { createAddressLimits } from "./address-limits";
import { createAdmission } from "./admission";
import { type BusyConnections, createConnectionRoom } from "./connection-room";
import { createDeparting } from "./departing";
import { watchEventLoop } from "./event-loop";
import { answer, failToSend } from "./exchange";
import type { Limits } from "./limits";
import { Roster } from "./roster";
import type { ServerState } from "./state";

/** What a server that has just started shares among its exchanges. */
export function createState(limits: Limits): ServerState {
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
    admission: createAdmission(),
    departing: createDeparting(
      (exchange, response) => answer(state, exchange, response),
      failToSend,
    ),
    loop: watchEventLoop(limits.sweepMs),
    isStopping: false,
  };
  return state;
}
