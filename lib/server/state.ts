import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { RequestContext } from "@/lib/http/request-context";
import type { Trace } from "@/lib/protocol/tracing";
import type { AddressLimits, Network } from "./address-limits";
import type { Admission, LoadClass } from "./admission";
import type { ConnectionRoom } from "./connection-room";
import type { Departing } from "./departing";
import type { EventLoopWatch } from "./event-loop";
import type { Limits } from "./limits";
import type { Listed, Roster } from "./roster";
import type { Route } from "./routes";
import type { WatchedRequest } from "./unread";

/** Who sends a request, for what is limited by address. */
export interface Client {
  address: string;
  networks: readonly Network[];
}

/** A body that somebody has started to read. */
export interface ReceivedBody {
  since: number;
  /** The connection's bytes at that time. */
  bytesBefore: number;
  /** The operation reads it line by line: it may take longer. */
  isStreamed: boolean;
}

/** A request whose body is on its way: nobody works for it. */
export interface Arriving extends Listed {
  req: IncomingMessage;
  res: ServerResponse;
  body: ReceivedBody;
  /** Is being ended, for which its client has a second. */
  isCutOff: boolean;
  /** Ends the request, because others need the room. */
  cutOff(): void;
}

/** One request for a page or for a file of one. */
export interface PageVisit {
  req: IncomingMessage;
  res: ServerResponse;
  client: Client;
  loadClass: LoadClass;
  body: ReceivedBody | undefined;
  /** Set while it has a place in its class: since when. */
  heldSince: number | undefined;
}

/** One request of the interface between its arrival and its answer. Times are performance.now(). */
export interface Exchange extends Listed {
  req: WatchedRequest;
  res: ServerResponse;
  request: Request;
  route: Route | undefined;
  context: RequestContext;
  /** Of a request that is sampled. */
  trace: Trace | undefined;
  /** Of one that is traced: when its response was ready. */
  answeredAt: number | undefined;
  hasBody: boolean;
  client: Client;
  loadClass: LoadClass;
  /** Counted among the requests in progress of its address. */
  isCounted: boolean;
  /** Set once the handler reads its body, where that has not arrived by then. */
  body: ReceivedBody | undefined;
  /** The handler was seen waiting for its body. */
  isReading: boolean;
  /** Waits for its client, and has given its place to others. */
  isPaused: boolean;
  /** The part of its time that its client took. */
  pausedMs: number;
  /** When the handler had all it needs. */
  workingSince: number;
  isAnswered: boolean;
  /** The handler has not come back, though its answer may be too late. */
  isWorking: boolean;
}

/** What all exchanges of a server share. */
export interface ServerState {
  limits: Limits;
  /** Connections that are open. */
  connected: number;
  /** How many of them end with their next response: another process has more time for them. */
  toShed: number;
  open: Roster<Exchange>;
  /** Answers of pages that are not finished. */
  pages: Set<ServerResponse>;
  /** Requests for pages that are not finished. */
  visits: Set<PageVisit>;
  /** Requests of both kinds that wait for the rest of their body. */
  arriving: Roster<Arriving>;
  addresses: AddressLimits;
  connections: ConnectionRoom;
  departing: Departing;
  admission: Admission;
  loop: EventLoopWatch;
  /** Connections that speak another protocol by now: no HTTP server closes them. */
  upgraded: Set<Duplex>;
  isStopping: boolean;
}
