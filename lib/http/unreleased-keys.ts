import { isNodeAway } from "@/lib/database/failures";
import { perProcess } from "@/lib/protocol/per-process";
import { type ClaimedKey, inFlightMs, releaseKey } from "./idempotent-response-rows";

/*
 * Keys that a failed request could not free, because the store was away: a failover takes longer than a request. They are freed as soon as
 * the store is back, or a client that repeats its request gets "in flight" until the claim is over.
 */

/** Of a claim that may never have been kept there is one for each request that meets the fault: after so many the next ones wait. */
const maxKeys = 1000;
const everyMs = 250;

interface Unreleased {
  claim: ClaimedKey;
  /** performance.now(); from then on the next request takes the key over. */
  endsAt: number;
}

const unreleased = perProcess("unreleased-keys", () => ({
  keys: new Set<Unreleased>(),
  isTrying: false,
}));

export function releaseLater(claim: ClaimedKey): void {
  const held = unreleased();
  if (held.keys.size >= maxKeys) return;
  held.keys.add({ claim, endsAt: performance.now() + inFlightMs });
  if (held.isTrying) return;
  held.isTrying = true;
  tryLater();
}

/** One after the other: while the store is away the first of them is all that is asked of it. */
async function releaseAll(): Promise<void> {
  const { keys } = unreleased();
  for (const one of keys) {
    try {
      if (performance.now() < one.endsAt) await releaseKey(one.claim);
      keys.delete(one);
    } catch (error) {
      // Keys of tenants on other nodes of a cluster can be freed.
      if (!isNodeAway(error)) return;
    }
  }
}

function tryLater(): void {
  const again = async () => {
    await releaseAll();
    const held = unreleased();
    held.isTrying = held.keys.size > 0;
    if (held.isTrying) tryLater();
  };
  setTimeout(() => void again(), everyMs).unref();
}
