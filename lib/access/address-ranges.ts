import { BlockList, isIP, SocketAddress } from "node:net";
import { addressFamily } from "@/lib/protocol/setting-formats";

/** `network`: /24 of an IPv4 address, /64 of an IPv6 address. The wider ones exist for IPv6 only. */
export type NetworkWidth = "network" | "56" | "48";

/** The eight 16-bit groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const all = [...before, ...Array<string>(missing).fill("0"), ...after];
  return all.slice(0, 8).map((group) => Number.parseInt(group, 16));
}

/** The network of an address; undefined if the address has no network of that width. */
export function networkAt(address: string, width: NetworkWidth): string | undefined {
  if (!address.includes(":"))
    return width === "network" ? address.split(".").slice(0, 3).join(".") : undefined;
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(address);
  const parts = width === "48" ? [a, b, c] : [a, b, c, width === "56" ? d & 0xff00 : d];
  return parts.map((part) => part.toString(16)).join(":");
}

const mappedPrefix = "::ffff:";
const mappedBits = 96;

/** The bits of an IPv6 address beyond the prefix set to zero. */
function maskIpv6(address: string, prefix: number): string {
  const groups = groupsOf(address).map((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix - index * 16));
    return group & (0xffff << (16 - bits)) & 0xffff;
  });
  const text = groups.map((group) => group.toString(16)).join(":");
  return new SocketAddress({ address: text, family: "ipv6" }).address;
}

function maskIpv4(address: string, prefix: number): string {
  const bytes = address.split(".").map((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefix - index * 8));
    return Number(byte) & (0xff << (8 - bits)) & 0xff;
  });
  return bytes.join(".");
}

/**
 * The canonical form of an address or range, with the bits beyond the prefix set to zero; undefined for an invalid text.
 * IPv4 addresses that are written as IPv6 become IPv4, as the addresses of requests do.
 * @example normalizeRange("10.1.2.3/8") // "10.0.0.0/8"
 * @example normalizeRange("2001:DB8:0::1") // "2001:db8::1/128"
 */
export function normalizeRange(text: string): string | undefined {
  const [address = "", bits, ...others] = text.trim().split("/");
  const version = address.includes("%") ? 0 : isIP(address);
  const isCount = bits === undefined || /^(?:0|[1-9]\d{0,2})$/.test(bits);
  if (version === 0 || !isCount || others.length > 0) return undefined;
  const prefix = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits);
  if (prefix > (version === 6 ? 128 : 32)) return undefined;
  if (version === 4) return `${maskIpv4(address, prefix)}/${prefix}`;
  const canonical = new SocketAddress({ address, family: "ipv6" }).address;
  if (canonical.startsWith(mappedPrefix) && canonical.includes("."))
    return prefix < mappedBits
      ? undefined
      : normalizeRange(`${canonical.slice(mappedPrefix.length)}/${prefix - mappedBits}`);
  // Groups are hexadecimal: any remaining old form with an IPv4 part is not the address of a client.
  if (canonical.includes(".")) return undefined;
  return `${maskIpv6(canonical, prefix)}/${prefix}`;
}

/**
 * Whether every address of the range is in the other one; both in the form of `normalizeRange`.
 * @example isRangeWithin("10.1.0.0/16", "10.0.0.0/8") // true
 */
export function isRangeWithin(range: string, other: string): boolean {
  const [address = "", prefix = ""] = range.split("/");
  const [otherAddress = "", otherPrefix = ""] = other.split("/");
  return (
    Number(prefix) >= Number(otherPrefix) &&
    addressFamily(address) === addressFamily(otherAddress) &&
    isInSet(toAddressSet([other]), address)
  );
}

/** The ranges as a set for looking up addresses. */
export function toAddressSet(ranges: readonly string[]): BlockList {
  const set = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix = ""] = range.split("/");
    set.addSubnet(address, Number(prefix), addressFamily(address));
  }
  return set;
}

/** Whether the address is in one of the ranges; false for an invalid address. */
export function isInSet(set: BlockList, address: string): boolean {
  const plain =
    address.startsWith(mappedPrefix) && address.includes(".")
      ? address.slice(mappedPrefix.length)
      : address;
  return isIP(plain) !== 0 && set.check(plain, addressFamily(plain));
}
