import { createServer, connect as dial, type Socket } from "node:net";

/**
 * The faults of connections to the store.
 * - `pass`: nothing. - `stall`: nothing moves until it passes again. - `freeze`: those that are there go silent for good, new ones work.
 * - `black-hole`: those that are there and those made meanwhile go silent for good. - `reset`: all are reset, new ones too.
 * - `lose-commit`: the store keeps a transaction, and its answer is lost. - `lose-claim`: the same of a statement that claims an Idempotency-Key. - `vanish-at-commit`: the same, and from then on `reset`. - `drip`: a few bytes at a time. - `half-open`: the store sees its side end, the client does not notice.
 */
export type Fault =
  | "pass"
  | "stall"
  | "freeze"
  | "black-hole"
  | "reset"
  | "drip"
  | "half-open"
  | "lose-commit"
  | "lose-claim"
  | "vanish-at-commit";

interface Pair {
  client: Socket;
  store: Socket;
  isSilent: boolean;
  isCommitted: boolean;
}

export interface FaultyProxy {
  /** The address of the store through this proxy. */
  url: string;
  inflict(fault: Fault): void;
  /** Inflicts the fault when clients have sent this many more packets. Returns a function that reports whether it happened. */
  inflictAfter(packets: number, fault: Fault): () => boolean;
  /** Calls this with each packet of a client before it is passed on; it may inflict something. */
  watch(listener: (bytes: Buffer) => void): void;
  close(): Promise<void>;
}

const dripBytes = 32;
const dripMilliseconds = 5;

/** The shared state of the connections of a proxy. */
interface Traffic {
  fault: Fault;
  pairs: Set<Pair>;
  sockets: Set<Socket>;
  due: { packets: number; fault: Fault } | undefined;
  watcher: ((bytes: Buffer) => void) | undefined;
}

function inflictOnAll(traffic: Traffic, next: Fault): void {
  traffic.fault = next;
  for (const pair of traffic.pairs) inflictOn(pair, next);
}

function countPacket(traffic: Traffic): void {
  if (traffic.due === undefined) return;
  traffic.due.packets -= 1;
  if (traffic.due.packets > 0) return;
  const { fault } = traffic.due;
  traffic.due = undefined;
  inflictOnAll(traffic, fault);
}

/** Statements that are passed on, but whose response is dropped. */
const unanswered: Partial<Record<Fault, RegExp>> = {
  "lose-commit": /^Q[\s\S]{4}commit\0/,
  "vanish-at-commit": /^Q[\s\S]{4}commit\0/,
  "lose-claim": /insert into "idempotent_answers"/,
};

/** Passes on what `from` sends to `to`, subject to the current fault. */
function join(traffic: Traffic, pair: Pair, from: Socket, to: Socket): void {
  from.on("data", (bytes) => {
    if (from === pair.client) {
      countPacket(traffic);
      traffic.watcher?.(bytes);
    }
    if (pair.isSilent) return;
    if (pair.isCommitted && from === pair.store) {
      if (traffic.fault === "vanish-at-commit") inflictOnAll(traffic, "reset");
      return void pair.client.resetAndDestroy();
    }
    pair.isCommitted = unanswered[traffic.fault]?.test(bytes.toString("latin1")) === true;
    if (traffic.fault === "drip") drip(from, to, bytes);
    else to.write(bytes);
  });
  from.on("error", () => undefined);
  from.on("close", () => {
    traffic.sockets.delete(from);
    traffic.pairs.delete(pair);
    if (!pair.isSilent) to.destroy();
  });
  if (traffic.fault === "stall") from.pause();
}

/** A TCP proxy in front of the store at `url`, a TCP address or a unix socket. */
export async function startFaultyProxy(url: string): Promise<FaultyProxy> {
  const { hostname, port, searchParams } = new URL(url);
  const folder = searchParams.get("host");
  const traffic: Traffic = {
    ...{ fault: "pass", pairs: new Set(), sockets: new Set() },
    ...{ due: undefined, watcher: undefined },
  };
  const server = createServer((client) => {
    if (traffic.fault === "reset") return void client.resetAndDestroy();
    // A connection opened during this fault never reaches the store.
    if (traffic.fault === "black-hole") {
      traffic.sockets.add(client);
      client.on("error", () => undefined).on("close", () => traffic.sockets.delete(client));
      return void client.resume();
    }
    const store = folder
      ? dial(`${folder}/.s.PGSQL.${port || 5432}`)
      : dial(Number(port) || 5432, hostname);
    const pair = { client, store, isSilent: false, isCommitted: false };
    traffic.pairs.add(pair);
    traffic.sockets.add(client).add(store);
    join(traffic, pair, client, store);
    join(traffic, pair, store, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const proxied = new URL(url);
  proxied.searchParams.delete("host");
  proxied.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url: proxied.href,
    inflict: (fault) => inflictOnAll(traffic, fault),
    inflictAfter(packets, fault) {
      const due = { packets, fault };
      traffic.due = due;
      return () => due.packets <= 0;
    },
    watch(listener) {
      traffic.watcher = listener;
    },
    async close() {
      server.close();
      for (const socket of traffic.sockets) socket.destroy();
    },
  };
}

function inflictOn(pair: Pair, fault: Fault): void {
  const { client, store } = pair;
  if (fault === "freeze" || fault === "black-hole" || fault === "half-open") pair.isSilent = true;
  if (fault === "half-open") store.destroy();
  if (fault === "reset") client.resetAndDestroy();
  for (const socket of [client, store]) {
    if (fault === "stall") socket.pause();
    else if (!dripping.has(socket)) socket.resume();
  }
}

/** Connections in the middle of a transfer: later data must not overtake it. */
const dripping = new WeakSet<Socket>();

function drip(from: Socket, to: Socket, bytes: Buffer): void {
  from.pause();
  dripping.add(from);
  let sent = 0;
  const timer = setInterval(() => {
    to.write(bytes.subarray(sent, sent + dripBytes));
    sent += dripBytes;
    if (sent < bytes.length) return;
    clearInterval(timer);
    dripping.delete(from);
    from.resume();
  }, dripMilliseconds);
}
