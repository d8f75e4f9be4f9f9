import { perProcess } from "@/lib/protocol/per-process";

/** Limits of concurrent requests: per destination, per tenant, per process. */
export const maxPerEndpoint = 8;
const maxPerTenant = 64;
const maxPerProcess = 512;

interface Waiting {
  keys: string[];
  start: () => void;
}

interface Slots {
  used: Map<string, number>;
  waiting: Waiting[];
}

const slots = perProcess<Slots>("delivery-slots", () => ({ used: new Map(), waiting: [] }));

const limitOf = (key: string) => {
  if (key === "") return maxPerProcess;
  return key.includes("/") ? maxPerEndpoint : maxPerTenant;
};

const isFree = ({ used }: Slots, keys: readonly string[]) =>
  keys.every((key) => (used.get(key) ?? 0) < limitOf(key));

function take({ used }: Slots, keys: readonly string[]): void {
  for (const key of keys) used.set(key, (used.get(key) ?? 0) + 1);
}

function release(current: Slots, keys: readonly string[]): void {
  for (const key of keys) {
    const left = (current.used.get(key) ?? 1) - 1;
    if (left === 0) current.used.delete(key);
    else current.used.set(key, left);
  }
  const next = current.waiting.findIndex((one) => isFree(current, one.keys));
  if (next === -1) return;
  for (const { keys: of, start } of current.waiting.splice(next, 1)) {
    take(current, of);
    start();
  }
}

/** Runs the work once the destination, its tenant and the process have a slot. A slow destination uses only its own slots. */
export async function withSlot<T>(
  tenantId: string,
  destinationId: string,
  work: () => Promise<T>,
): Promise<T> {
  const current = slots();
  const keys = ["", tenantId, `${tenantId}/${destinationId}`];
  if (isFree(current, keys)) take(current, keys);
  else await new Promise<void>((start) => current.waiting.push({ keys, start }));
  try {
    return await work();
  } finally {
    release(current, keys);
  }
}
