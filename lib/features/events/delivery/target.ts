import { promises } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction, SocketAddress } from "node:net";
import { addressFamily } from "@/lib/protocol/setting-formats";
import { setting } from "@/lib/protocol/settings";

/*
 * Where a delivery may lead: public addresses, and the inner networks of WEBHOOK_NETWORKS. Everything else could be a service that
 * trusts every client: this machine, its network, the metadata service of a cloud. The lists are those of the IANA
 * special-purpose address registries.
 */

const forbiddenIpv4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  // The agent of Azure, which is reached from inside only.
  "168.63.129.16/32",
];

/** Of IPv6 only global unicast is public, without what stands there for something else: Teredo and other protocols, examples, 6to4. */
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

/** The address in its one spelling; IPv4 that is written as IPv6 becomes IPv4. Undefined for a text that is none. */
function plain(address: string): string | undefined {
  if (address.includes("%") || isIP(address) === 0) return undefined;
  if (!isIPv6(address)) return address;
  const canonical = new SocketAddress({ address, family: "ipv6" }).address;
  return mapped.exec(canonical)?.[1] ?? canonical;
}

/** Whether something may be sent to this address, as a name server gives it. */
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
 * Why nothing is sent to this URL, as words after "/url"; undefined for one that is fine. What is stored and sent to is checked, which is not
 * always what was typed: `new URL(text).href`. What a name leads to is checked when it is resolved.
 */
export function urlProblem(text: string): string | undefined {
  // A URL's parser drops them without a word.
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

/** Thrown where a name leads to an address that nothing is sent to. */
export class ForbiddenAddress extends Error {}

/** Asks the name servers without the thread pool, so that one that does not answer holds up nothing else. */
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
 * How a connection finds the address of its host: resolved once, checked, and given to the connection itself, so that no later answer
 * of the name server counts. One forbidden address among several is enough to reject the name.
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
