import { ApiError } from "@/lib/protocol/errors";

/** Batches of one tenant that may wait for the one before them, and of all tenants together: each holds up to 2 MiB. */
const maxOfTenant = 8;
const maxInAll = 64;
const retrySeconds = 1;

/** The newest batch of each tenant that has one. */
const newest = new Map<string, Promise<unknown>>();
const waiting = new Map<string, number>();
let inAll = 0;

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
  const ofTenant = waiting.get(tenantId) ?? 0;
  if (ofTenant >= maxOfTenant)
    throw full("Too many batches of this tenant are being counted. Send one after the other.");
  if (inAll >= maxInAll) throw full("Too many batches are being counted.");
  waiting.set(tenantId, ofTenant + 1);
  inAll += 1;
  const mine = (newest.get(tenantId) ?? Promise.resolve()).then(work, work);
  newest.set(tenantId, mine);
  try {
    return await mine;
  } finally {
    inAll -= 1;
    waiting.set(tenantId, (waiting.get(tenantId) ?? 1) - 1);
    if (newest.get(tenantId) === mine) {
      newest.delete(tenantId);
      waiting.delete(tenantId);
    }
  }
}
