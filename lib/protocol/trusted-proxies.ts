import { BlockList, isIP } from "node:net";

/** Which kind of IP address this is, as BlockList names it. */
export const addressFamily = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** The proxies of TRUSTED_PROXIES: addresses and CIDR ranges, separated by commas. Throws at the first that is neither. */
export function trustedProxies(list: string | undefined): BlockList | undefined {
  const entries = (list ?? "").split(",").map((entry) => entry.trim());
  const trusted = new BlockList();
  let count = 0;
  for (const entry of entries) {
    if (entry === "") continue;
    const [address = "", prefix] = entry.split("/");
    const bits = prefix === undefined ? undefined : Number(prefix);
    const max = isIP(address) === 6 ? 128 : 32;
    if (
      isIP(address) === 0 ||
      (bits !== undefined && !(/^\d+$/.test(prefix ?? "") && bits <= max))
    ) {
      throw new Error(`"${entry}" is neither an address nor a range such as 10.0.0.0/8.`);
    }
    if (bits === undefined) trusted.addAddress(address, addressFamily(address));
    else trusted.addSubnet(address, bits, addressFamily(address));
    count += 1;
  }
  return count > 0 ? trusted : undefined;
}
