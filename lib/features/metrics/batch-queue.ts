import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";

/** Batches of one tenant that may wait for the one before them, and of all tenants together: each holds up to 2 MiB. */
const maxOfTenant = 8;
const maxTotal = 64;
const retrySeconds = 1;

interface BatchQueue {
  /** The newest batch of each tenant that has one. */
  newest: Map<string, Promise<unknown>>;
  /** How many batches each tenant has. */
  sizes: Map<string, number>;
  total: number;
}

const state = perProcess<BatchQueue>("metrics-batches", () => ({
  newest: new Map(),
  sizes: new Map(),
  total: 0,
}));

function full(detail: string): ApiError {
  return new ApiError("server.overloaded", detail, "metrics-batch", {
    headers: { "Retry-After": String(retrySeconds) },
  });
}

/** Runs the work after the tenant's earlier work. Throws 503 with Retry-After where too much waits already. */
export async function oneAtATime<Result>(
  tenantId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = state();
  const { newest, sizes } = queue;
  const ofTenant = sizes.get(tenantId) ?? 0;
  if (ofTenant >= maxOfTenant)
    throw full("Too many batches of this tenant are being counted. Send one after the other.");
  if (queue.total >= maxTotal) throw full("Too many batches are being counted.");
  sizes.set(tenantId, ofTenant + 1);
  queue.total += 1;
  const mine = (newest.get(tenantId) ?? Promise.resolve()).then(work, work);
  newest.set(tenantId, mine);
  try {
    return await mine;
  } finally {
    queue.total -= 1;
    sizes.set(tenantId, (sizes.get(tenantId) ?? 1) - 1);
    if (newest.get(tenantId) === mine) {
      newest.delete(tenantId);
      sizes.delete(tenantId);
    }
  }
}
