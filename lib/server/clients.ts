import type { IncomingMessage } from "node:http";
import type { BlockList, Socket } from "node:net";
import { hasKnownCredential, isSignedInBrowser } from "@/lib/access/known-credential";
import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";
import { networksOf } from "./address-limits";
import { isTrusted, peerOf, socketAddress } from "./peer";
import type { Client, ServerState } from "./state";

const bySocket = new WeakMap<Socket, Client>();

/** Counts a connection for its address, until it closes. A connection of a trusted proxy carries many clients and is not limited. */
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

/** Of IPv6 the /48, which one customer of a provider has. */
export const widestNetwork = ({ networks }: Client): string => networks.at(-1)?.key ?? "";

/** The client of a request: the one behind the proxy, where a trusted one sends it. */
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

/** Counts a request that turned out to be anonymous or to carry a credential that is not valid. */
export function countAnonymous(state: ServerState, { networks }: Client): void {
  if (isLimited()) state.addresses.addAnonymous(networks);
}

/**
 * The 429 for an address that sent too many anonymous or failed requests. Those with a credential that this process
 * knows go on, so that a stranger in the same network keeps nobody out; that is looked up only while the limit is exceeded.
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
