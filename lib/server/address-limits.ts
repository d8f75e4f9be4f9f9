import type { IncomingMessage } from "node:http";
import type { BlockList, Socket } from "node:net";
import { networkAt } from "@/lib/access/address-ranges";
import { hasKnownCredential, isSignedInBrowser } from "@/lib/access/consumer-tokens";
import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";
import { isTrusted, peerOf, socketAddress } from "./peer";
import type { AddressLimits, Client, Network, Resource, ServerState, Usage } from "./state";
import { createCountSketch } from "./tuning/count-sketch";

/*
 * How much of the shared resources one client address may use: open connections, requests in progress, and
 * anonymous or failed requests a minute.
 *
 * An IPv4 address counts by itself. An IPv6 address counts twice: with its /64, which one subscriber has, and with its
 * /48, which one customer of a provider has and which holds 65,536 networks of /64; the /48 has larger limits.
 *
 * Memory: connections and requests in progress are counted in a Map with an entry for each network that has one open
 * now, so it is bounded by the open sockets. Requests per minute are counted in a sketch of constant size.
 */

export interface AddressQuotas {
  connections: number;
  requests: number;
  anonymousPerMinute: number;
  anonymousWindowMs: number;
}

/** The limit of a /48 is this many times that of one /64. */
const widerBy = 4;

/** The networks that an address counts with, the smallest first. */
export function networksOf(address: string): readonly Network[] {
  if (!address.includes(":")) return [{ key: address, factor: 1 }];
  return [
    { key: `${networkAt(address, "network")}/64`, factor: 1 },
    { key: `${networkAt(address, "48")}/48`, factor: widerBy },
  ];
}

/** Open connections and requests by network. */
function createUsage(quotas: AddressQuotas): Pick<AddressLimits, "acquire" | "release" | "size"> {
  const used = new Map<string, Usage>();
  const change = (key: string, resource: Resource, by: 1 | -1) => {
    const usage = used.get(key) ?? { connections: 0, requests: 0 };
    usage[resource] += by;
    if (usage.connections <= 0 && usage.requests <= 0) used.delete(key);
    else used.set(key, usage);
  };
  const hasRoom = ({ key, factor }: Network, resource: Resource) =>
    (used.get(key)?.[resource] ?? 0) < quotas[resource] * factor;
  return {
    acquire(resource, networks) {
      if (!networks.every((network) => hasRoom(network, resource))) return false;
      for (const { key } of networks) change(key, resource, 1);
      return true;
    },
    release(resource, networks) {
      for (const { key } of networks) change(key, resource, -1);
    },
    size: () => used.size,
  };
}

/** `now` is monotonic, in milliseconds. */
export function createAddressLimits(
  quotas: AddressQuotas,
  now: () => number = () => performance.now(),
): AddressLimits {
  const anonymous = createCountSketch();
  const { anonymousWindowMs: windowMs } = quotas;
  let windowEndsAt = now() + windowMs;
  /** The count of all networks in this window: while it is below one network's quota, no network exceeds it. */
  let total = 0;
  const startWindow = () => {
    if (now() < windowEndsAt) return;
    windowEndsAt = now() + windowMs;
    total = 0;
    anonymous.clear();
  };
  return {
    ...createUsage(quotas),
    addAnonymous(networks) {
      startWindow();
      total += 1;
      for (const { key } of networks) anonymous.add(key);
    },
    secondsUntilAnonymous(networks) {
      if (total < quotas.anonymousPerMinute) return 0;
      startWindow();
      const isOver = networks.some(
        ({ key, factor }) => anonymous.count(key) >= quotas.anonymousPerMinute * factor,
      );
      return isOver ? Math.max(1, Math.ceil((windowEndsAt - now()) / 1000)) : 0;
    },
  };
}

const bySocket = new WeakMap<Socket, Client>();

/** Counts a connection for its address, until it closes. A connection of a trusted proxy serves many clients and is not limited. */
export function admitConnection(
  state: ServerState,
  socket: Socket,
  trusted: BlockList | undefined,
): boolean {
  const address = socketAddress(socket);
  const networks = networksOf(address);
  const client = { address, networks };
  bySocket.set(socket, client);
  if (isTrusted(address, trusted)) return true;
  if (!state.addresses.acquire("connections", networks)) return false;
  socket.once("close", () => state.addresses.release("connections", networks));
  state.connections.add(widestNetwork(client), socket);
  return true;
}

/** For IPv6 the /48, which one customer of a provider has. */
export const widestNetwork = ({ networks }: Client): string => networks.at(-1)?.key ?? "";

/** The client of a request: the forwarded one if a trusted proxy sends it. */
export function clientOf(req: IncomingMessage, trusted: BlockList | undefined): Client {
  const known = bySocket.get(req.socket);
  if (known && !trusted) return known;
  const address = peerOf(req, trusted);
  return address === known?.address ? known : { address, networks: networksOf(address) };
}

function tooMany(detail: string, reason: string, seconds: number): ApiError {
  return new ApiError("rate-limit.exceeded", detail, reason, {
    headers: { "Retry-After": String(seconds) },
  });
}

export const tooManyRequests = (): ApiError =>
  tooMany(
    "This address has too many requests in progress. Wait until some are answered.",
    "requests-per-address",
    1,
  );

const headersOf = ({ headers }: IncomingMessage) => ({
  get(name: string) {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  },
});

const isLimited = () => setting("RATE_LIMITS") !== "off";

/** Counts a request that is anonymous or has an invalid credential. */
export function countAnonymous(state: ServerState, { networks }: Client): void {
  if (isLimited()) state.addresses.addAnonymous(networks);
}

/**
 * The 429 for an address that sent too many anonymous or failed requests. Requests with a credential that this process knows
 * are exempt, so that a stranger in the same network locks nobody out; that is looked up only while the limit is exceeded.
 */
export function anonymousRejection(
  state: ServerState,
  req: IncomingMessage,
  { networks }: Client,
): Promise<ApiError | undefined> | undefined {
  const seconds = isLimited() ? state.addresses.secondsUntilAnonymous(networks) : 0;
  if (seconds === 0) return undefined;
  const rejection = () =>
    tooMany(
      `Too many requests without a valid credential. Wait ${seconds} s.`,
      "anonymous",
      seconds,
    );
  const isKnown = async () =>
    (await isSignedInBrowser(req.headers.cookie)) || (await hasKnownCredential(headersOf(req)));
  return isKnown().then(
    (known) => (known ? undefined : rejection()),
    () => rejection(),
  );
}
