import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RequestContext } from "@/lib/http/request-context";
import type { Trace } from "@/lib/protocol/tracing";
import type { Admission, LoadClass } from "./admission";
import type { Limits } from "./limits";
import type { Route } from "./routes";
import type { EventLoopWatch } from "./tuning/event-loop";

/** A network that a client address counts for. */
export interface Network {
  key: string;
  /** The multiple of a single address's limits that it may use. */
  factor: number;
}

/** What one network uses. */
export interface Usage {
  connections: number;
  requests: number;
}

export type Resource = keyof Usage;

/** How much of the shared resources one client address may use: see address-limits.ts. */
export interface AddressLimits {
  /** Takes one; false if a network has none left. Each success must be released. */
  acquire(resource: Resource, networks: readonly Network[]): boolean;
  release(resource: Resource, networks: readonly Network[]): void;
  /** Counts an anonymous or failed request. */
  addAnonymous(networks: readonly Network[]): void;
  /** Seconds until these networks may send anonymous requests again; 0 while they may. */
  secondsUntilAnonymous(networks: readonly Network[]): number;
  /** How many networks have a connection or request open: for tests. */
  size(): number;
}

/** The open connections of every network, of which those with the most make room for the others: see tuning/connection-room.ts. */
export interface ConnectionRoom {
  add(network: string, socket: Socket): void;
}

/** Responses that are ready and sent together: see tuning/departing.ts. */
export interface Departing {
  /** Sends it soon. `now`: performance.now(). */
  add(exchange: Exchange, response: Response, now: number): void;
}

/** Calls back once at the first read of its body, whether or not any of it has arrived. */
export interface WatchableRequest extends IncomingMessage {
  onFirstRead(report: () => void): void;
}

/** The sender of a request, for limits by address. */
export interface Client {
  address: string;
  networks: readonly Network[];
}

/** A body that is being read. */
export interface ReceivedBody {
  since: number;
  /** The connection's received bytes at that time. */
  bytesBefore: number;
  /** Whether the operation reads it line by line, so that it may take longer. */
  isStreamed: boolean;
}

/** A request whose body is arriving, without any work in progress. */
export interface Arriving extends Listed {
  req: IncomingMessage;
  res: ServerResponse;
  body: ReceivedBody;
  /** Whether it is being closed, for which its client has a second. */
  isCutOff: boolean;
  /** Closes the request, because others need the room. */
  cutOff(): void;
}

/** One request for a page or for a file of one. */
export interface PageVisit {
  req: IncomingMessage;
  res: ServerResponse;
  client: Client;
  loadClass: LoadClass;
  body: ReceivedBody | undefined;
  /** Since when it has a place in its class; undefined without one. */
  heldSince: number | undefined;
}

/** One request of the interface between its arrival and its response. Times are performance.now(). */
export interface Exchange extends Listed {
  req: WatchableRequest;
  res: ServerResponse;
  request: Request;
  route: Route | undefined;
  context: RequestContext;
  /** Set for a sampled request. */
  trace: Trace | undefined;
  /** For a traced request: when its response was ready. */
  answeredAt: number | undefined;
  hasBody: boolean;
  client: Client;
  loadClass: LoadClass;
  /** Whether it is counted for its address's requests in progress. */
  isCounted: boolean;
  /** Set if the handler reads its body before that has arrived. */
  body: ReceivedBody | undefined;
  /** Whether the handler was waiting for its body. */
  isReading: boolean;
  /** Whether it waits for its client, and has released its place. */
  isPaused: boolean;
  /** The time spent waiting for its client. */
  pausedMs: number;
  /** When the handler had the complete request. */
  workingSince: number;
  isAnswered: boolean;
  /** Whether the handler is still running, even if its response is too late. */
  isWorking: boolean;
}

/** The state that all exchanges of a server share. */
export interface ServerState {
  limits: Limits;
  /** Connections that are open. */
  connected: number;
  /** How many of them to close after their next response: another process has more capacity for them. */
  toShed: number;
  open: Roster<Exchange>;
  /** Unfinished responses of pages. */
  pages: Set<ServerResponse>;
  /** Unfinished requests for pages. */
  visits: Set<PageVisit>;
  /** Requests of both kinds that wait for the rest of their body. */
  arriving: Roster<Arriving>;
  addresses: AddressLimits;
  connections: ConnectionRoom;
  departing: Departing;
  admission: Admission;
  loop: EventLoopWatch;
  /** Connections that have switched to another protocol, which no HTTP server closes. */
  upgraded: Set<Duplex>;
  isStopping: boolean;
}

/** An item of a roster has its index there; -1 outside a roster. */
export interface Listed {
  place: number;
}

/**
 * The items that are in progress, in no order; adding and removing one are O(1).
 *
 * A Set would work except for its memory: with thousands of items a second it is rebuilt all the time, and its former tables in
 * the old generation keep their items alive. Requests then outlive their response, and garbage collection gets expensive.
 */
export class Roster<Item extends Listed> {
  /** Grows to the maximum size and never shrinks: growing again would copy the list. */
  readonly #items: (Item | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    item.place = this.#size;
    this.#items[item.place] = item;
    this.#size += 1;
  }

  /** Does nothing if the item is not in it. */
  delete(item: Item): void {
    if (this.#items[item.place] !== item) return;
    this.#size -= 1;
    const last = this.#items[this.#size];
    this.#items[this.#size] = undefined;
    if (last && last !== item) {
      this.#items[item.place] = last;
      last.place = item.place;
    }
    item.place = -1;
  }

  /** Iterates over a copy, so that items may be removed meanwhile. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items.filter((item) => item !== undefined).values();
  }
}
