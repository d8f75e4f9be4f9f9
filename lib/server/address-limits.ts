import { networkAt } from "@/lib/access/networks";
import { createCountSketch } from "./count-sketch";

/*
 * What one client address may use of what all share: open connections, requests in progress, and anonymous or
 * failed requests a minute.
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

/** A /48 may use this many times what one of its /64 may. */
const widerBy = 4;

export interface Network {
  key: string;
  /** How much more than a single address it may use. */
  factor: number;
}

interface Usage {
  connections: number;
  requests: number;
}

type Resource = keyof Usage;

export interface AddressLimits {
  /** Takes one; false where a network has no more of it. Each success is to be released. */
  acquire(resource: Resource, networks: readonly Network[]): boolean;
  release(resource: Resource, networks: readonly Network[]): void;
  /** Counts an anonymous or failed request. */
  addAnonymous(networks: readonly Network[]): void;
  /** Seconds until these networks may send anonymous requests again; 0 while they may. */
  secondsUntilAnonymous(networks: readonly Network[]): number;
  /** How many networks have a connection or request open: for tests. */
  size(): number;
}

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
  /** Of all networks in this window: below one network's quota nobody can be over it. */
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
