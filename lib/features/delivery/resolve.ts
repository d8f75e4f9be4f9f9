import { promises } from "node:dns";
import type { LookupFunction } from "node:net";
import { addressFamily } from "@/lib/protocol/trusted-proxies";
import { isAllowedAddress } from "./addresses";

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
