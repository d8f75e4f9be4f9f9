import { promises } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction, SocketAddress } from "node:net";
import { addressFamily } from "@/lib/protocol/setting-formats";
import { setting } from "@/lib/protocol/settings";

/*
 * The allowed targets of a delivery: public addresses, and the internal networks in WEBHOOK_NETWORKS. Anything else could be a
 * service that trusts every client: this machine, its network, a cloud's metadata service. The lists are those of the IANA
 * special-purpose address registries.
 */

const forbiddenIpv4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  // The Azure agent, which is only reachable from inside.
  "168.63.129.16/32",
];

/** Only global unicast IPv6 is public, except for its special ranges: Teredo and other protocols, documentation, 6to4. */
const publicIpv6 = ["2000::/3"];
const forbiddenIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

function setOf(ranges: readonly string[]): BlockList {
  const set = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix = ""] = range.split("/");
    set.addSubnet(address, Number(prefix), addressFamily(address));
  }
  return set;
}

const notPublic = setOf([...forbiddenIpv4, ...forbiddenIpv6]);
const globalUnicast = setOf(publicIpv6);

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/** The address in canonical form; IPv4-mapped IPv6 becomes IPv4. Undefined for a text that is no address. */
function plain(address: string): string | undefined {
  if (address.includes("%") || isIP(address) === 0) return undefined;
  if (!isIPv6(address)) return address;
  const canonical = new SocketAddress({ address, family: "ipv6" }).address;
  return mapped.exec(canonical)?.[1] ?? canonical;
}

/** Whether deliveries to this address, as returned by a name server, are allowed. */
export function isAllowedAddress(address: string): boolean {
  const known = plain(address);
  if (known === undefined) return false;
  const family = addressFamily(known);
  if (setting("WEBHOOK_NETWORKS")?.check(known, family)) return true;
  if (notPublic.check(known, family)) return false;
  return family === "ipv4" || globalUnicast.check(known, "ipv6");
}

const maxUrlLength = 2048;

/** The address in the host of a URL; undefined for a name. WHATWG URLs turn decimal, octal, hexadecimal and short forms into dotted ones. */
function literalAddress({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(text) === 0 ? undefined : text;
}

const mayBePlain = () => process.env.NODE_ENV !== "production";

/** Names that every machine resolves to itself, whatever its name servers say. */
const isLocalName = ({ hostname }: URL) => /(?:^|\.)localhost\.?$/.test(hostname);

const leadsInside = (url: URL): boolean => {
  const address = literalAddress(url) ?? (isLocalName(url) ? "127.0.0.1" : undefined);
  return address !== undefined && !isAllowedAddress(address);
};

/**
 * Why this URL is rejected, as words after "/url"; undefined for an allowed one. Checks the normalized URL, `new URL(text).href`, which is
 * what is stored and called. The addresses of a name are checked when it is resolved.
 */
export function urlProblem(text: string): string | undefined {
  // The URL parser drops them silently.
  if (/[\p{Cc}]/u.test(text)) return "must hold no line breaks and no control characters";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "must be a URL";
  if (url.href.length > maxUrlLength)
    return `must have at most ${maxUrlLength} characters once it is percent-encoded`;
  if (url.port === "0") return "must name no port 0";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && mayBePlain()))
    return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must hold no user and no password";
  if (url.hash !== "") return "must have no fragment";
  if (leadsInside(url)) return "must not lead to a private, local or reserved address";
  return undefined;
}

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Thrown when a name resolves to a forbidden address. */
export class ForbiddenAddress extends Error {}

/** Queries the name servers without the thread pool, so that an unresponsive one blocks nothing else. */
export const resolveName: Resolve = async (hostname) => {
  const resolver = new promises.Resolver({ timeout: 2000, tries: 2 });
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = answers.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (found.length === 0) throw new Error("The name has no address.");
  return found;
};

/**
 * The DNS lookup for connections: resolves the host once, checks the addresses and connects to exactly those, so a later DNS answer
 * has no effect. One forbidden address among several is enough to reject the name.
 */
export function checkedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        if (found.length === 0 || !found.every(isAllowedAddress))
          return callback(new ForbiddenAddress("The name leads to an inner address."), "", 0);
        const all = found.map((address) => ({
          address,
          family: addressFamily(address) === "ipv6" ? 6 : 4,
        }));
        const [first] = all;
        if (options.all) callback(null, all);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: Error) => callback(error, "", 0),
    );
  };
}
