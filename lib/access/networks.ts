/** `network`: /24 of an IPv4 address, /64 of an IPv6 address. The wider ones are of IPv6 only. */
export type NetworkWidth = "network" | "56" | "48";

/** The eight 16-bit groups of an IPv6 address, as numbers. */
export function groupsOf(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const all = [...before, ...Array<string>(missing).fill("0"), ...after];
  return all.slice(0, 8).map((group) => Number.parseInt(group, 16));
}

/** The network of an address; undefined where an address has none of that width. */
export function networkAt(address: string, width: NetworkWidth): string | undefined {
  if (!address.includes(":"))
    return width === "network" ? address.split(".").slice(0, 3).join(".") : undefined;
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(address);
  const parts = width === "48" ? [a, b, c] : [a, b, c, width === "56" ? d & 0xff00 : d];
  return parts.map((part) => part.toString(16)).join(":");
}
