import { log } from "@/lib/protocol/log";
import type { DestinationLease } from "./lease";

interface Interrupted {
  /** How often in a row. */
  times: number;
  /** By the monotonic clock. */
  until: number;
}

const keyOf = ({ tenantId, destinationId }: Omit<DestinationLease, "holder">) =>
  `${tenantId}/${destinationId}`;

/**
 * Deliveries whose outcome could not be recorded. All of it will be sent again: after a while, as after an attempt that failed. Else a
 * receiver would get the same events without a pause for as long as the fault lasts. The process keeps the leases meanwhile, so that no
 * other one tries the same.
 */
export class Interruptions {
  readonly #delayMs: (times: number) => number;
  readonly #byKey = new Map<string, Interrupted>();

  /** @param delayMs Milliseconds until a destination is tried again after this many interruptions in a row. */
  constructor(delayMs: (times: number) => number) {
    this.#delayMs = delayMs;
  }

  begin(lease: DestinationLease, error: unknown): void {
    const { tenantId, destinationId } = lease;
    const key = keyOf(lease);
    const times = (this.#byKey.get(key)?.times ?? 0) + 1;
    const delayMs = this.#delayMs(times);
    this.#byKey.set(key, { times, until: performance.now() + delayMs });
    const facts = { err: error, tenantId, destinationId, times, delayMs };
    log().warn(facts, "a delivery was interrupted; what it sent is sent again later");
  }

  end(lease: DestinationLease): void {
    this.#byKey.delete(keyOf(lease));
  }

  /** Milliseconds until the destination is tried again; nothing or less for one that may be tried. */
  restMs(lease: DestinationLease): number {
    return (this.#byKey.get(keyOf(lease))?.until ?? 0) - performance.now();
  }

  /** The keys of the destinations that rest. */
  resting(): string[] {
    const now = performance.now();
    return [...this.#byKey].flatMap(([key, { until }]) => (until > now ? key : []));
  }

  /** Forgets the destinations of tenants that have none any more. */
  keepOnly(tenantIds: ReadonlySet<string>): void {
    for (const key of this.#byKey.keys())
      if (!tenantIds.has(key.split("/", 1)[0] ?? "")) this.#byKey.delete(key);
  }
}
