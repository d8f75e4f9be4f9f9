import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";

/** Maximum number of queued requests of one tenant, and of all tenants: each takes up to 2 MiB. */
const maxOfTenant = 8;
const maxTotal = 64;
const retrySeconds = 1;
/**
 * A tenant pauses for this multiple of its last turn, for each tenant with a queue, up to a maximum: so all such requests together
 * take about a quarter of the time, also of the store.
 */
const pauseFactor = 3;
const maxPauseMs = 2000;
/** A request without a place is rejected after this time, so that endless retries cost others little; at most `maxDelayed` wait. */
const rejectionMs = 500;
const maxDelayed = 16;

interface Line {
  size: number;
  isTaken: boolean;
  /** Requests whose body has arrived, the longest waiting first. */
  waiting: Array<() => void>;
}

interface Lines {
  byTenant: Map<string, Line>;
  total: number;
  delayed: number;
}

const state = perProcess<Lines>("tenant-turns", () => ({
  byTenant: new Map(),
  total: 0,
  delayed: 0,
}));

/** Throws 503 with Retry-After, after a delay. */
async function reject(detail: string): Promise<never> {
  const current = state();
  if (current.delayed < maxDelayed) {
    current.delayed += 1;
    await pause(rejectionMs);
    current.delayed -= 1;
  }
  const headers = { "Retry-After": String(retrySeconds) };
  throw new ApiError("server.overloaded", detail, "tenant-turn", { headers });
}

function lineOf(tenantId: string): Line {
  const { byTenant } = state();
  const line = byTenant.get(tenantId) ?? { size: 0, isTaken: false, waiting: [] };
  byTenant.set(tenantId, line);
  return line;
}

function callNext(tenantId: string, line: Line): void {
  const next = line.waiting.shift();
  line.isTaken = next !== undefined;
  next?.();
  if (line.size === 0) state().byTenant.delete(tenantId);
}

/** The place of one large request in its tenant's queue: one is parsed and handled at a time, with a pause after each. */
export class TenantTurn {
  private tenantId: string | undefined;
  private startedAt: number | undefined;

  /** Joins the queue, before the body is read. Throws 503 with Retry-After if it is full. */
  async join(tenantId: string): Promise<void> {
    if ((state().byTenant.get(tenantId)?.size ?? 0) >= maxOfTenant)
      await reject("Too many such requests of this tenant wait. Send one after the other.");
    if (state().total >= maxTotal) await reject("Too many such requests wait.");
    lineOf(tenantId).size += 1;
    state().total += 1;
    this.tenantId = tenantId;
  }

  /** Resolves when the earlier requests are done. */
  async start(): Promise<void> {
    if (this.tenantId === undefined) return;
    const line = lineOf(this.tenantId);
    if (line.isTaken) await new Promise<void>((resolve) => line.waiting.push(resolve));
    line.isTaken = true;
    this.startedAt = performance.now();
  }

  /** Leaves the queue, whatever the outcome of the request. */
  leave(): void {
    const { tenantId, startedAt } = this;
    if (tenantId === undefined) return;
    const line = lineOf(tenantId);
    line.size -= 1;
    state().total -= 1;
    if (startedAt === undefined) {
      if (line.size === 0 && !line.isTaken) state().byTenant.delete(tenantId);
      return;
    }
    const factor = pauseFactor * state().byTenant.size;
    const pauseMs = Math.min(maxPauseMs, factor * (performance.now() - startedAt));
    setTimeout(() => callNext(tenantId, line), pauseMs);
  }
}
