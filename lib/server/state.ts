import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RequestContext } from "@/lib/http/request-context";
import type { Trace } from "@/lib/protocol/tracing";
import type { Admission, LoadClass } from "./admission";
import type { Limits } from "./limits";
import type { Route } from "./routes";
import type { EventLoopWatch } from "./tuning/event-loop";

/** What a client address counts with. */
export interface Network {
  key: string;
  /** How much more than a single address it may use. */
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
  /** Takes one; false where a network has no more of it. Each success is to be released. */
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

/** Responses that are ready and leave together: see tuning/departing.ts. */
export interface Departing {
  /** Sends it soon. `now`: performance.now(). */
  add(exchange: Exchange, response: Response, now: number): void;
}

/** Calls back once when somebody begins to read its body, whether or not anything of it has arrived. */
export interface WatchableRequest extends IncomingMessage {
  onFirstRead(report: () => void): void;
}

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
  req: WatchableRequest;
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

/** An item of a roster knows its own place there; anywhere else it is -1. */
export interface Listed {
  place: number;
}

/**
 * The items that are in progress, in no order; adding and removing one are O(1).
 *
 * A Set would do, but for its memory: one that thousands pass through each second is rebuilt all the time, and each of its former
 * tables that has grown old keeps alive all that stood in it. Requests then outlive their answer, and cleaning up is what costs.
 */
export class Roster<Item extends Listed> {
  /** Grows to the most there ever were, and never shrinks: a list that grows again is copied, too. */
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

  /** Does nothing with one that is not in it. */
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

  /** Those of now: who walks along may remove some. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items.filter((item) => item !== undefined).values();
  }
}
