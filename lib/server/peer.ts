import type { IncomingMessage } from "node:http";
import { type BlockList, isIP, type Socket, SocketAddress } from "node:net";
import { addressFamily } from "@/lib/protocol/setting-formats";

const mapped = "::ffff:";

/** A dual-stack socket reports an IPv4 peer as `::ffff:192.0.2.1`. */
function unwrap(address: string): string {
  return address.startsWith(mapped) && address.includes(".")
    ? address.slice(mapped.length)
    : address;
}

/** An entry of X-Forwarded-For without its port and brackets, in the format of a socket's address; undefined if it is not an address. */
function forwarded(entry: string): string | undefined {
  const text = entry.trim();
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (isIP(bare) === 6) return unwrap(new SocketAddress({ address: bare, family: "ipv6" }).address);
  return isIP(bare) === 4 ? bare : undefined;
}

/** The address at the other end of a connection. */
export const socketAddress = ({ remoteAddress }: Pick<Socket, "remoteAddress">): string =>
  unwrap(remoteAddress ?? "unknown");

export function isTrusted(address: string, trusted: BlockList | undefined): boolean {
  return (
    trusted !== undefined && isIP(address) !== 0 && trusted.check(address, addressFamily(address))
  );
}

/**
 * The address that this request counts for: the socket's, or the right-most entry of
 * X-Forwarded-For that is not a trusted proxy.
 */
export function peerOf(req: IncomingMessage, trusted: BlockList | undefined): string {
  let peer = socketAddress(req.socket);
  if (!trusted || isIP(peer) === 0) return peer;
  const header = req.headers["x-forwarded-for"];
  const hops = typeof header === "string" ? header.split(",") : [];
  while (isTrusted(peer, trusted)) {
    const hop = hops.pop();
    const next = hop === undefined ? undefined : forwarded(hop);
    // If a proxy could not determine the address, the request counts for that proxy, never for the client's entries further left.
    if (next === undefined) return peer;
    peer = next;
  }
  return peer;
}
