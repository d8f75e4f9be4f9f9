import { BlockList, isIP, isIPv6, SocketAddress } from "node:net";
import { setting } from "@/lib/protocol/settings";
import { addressFamily } from "@/lib/protocol/trusted-proxies";

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
