import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { feedEnds, tenantsWithWebhooks } from "@/lib/database/global";
import { log } from "@/lib/protocol/log";
import { failuresUntilProbing } from "./back-off";
import { claimLease, enabledWebhooks, keepLeases, type LeaseState } from "./lease-rows";
import { onWake } from "./watched";
import { isBefore, type Place } from "./work";
import { deliver } from "./worker";

/*
 * Finds endpoints with something to deliver. No statement of the frequent ones goes through all tenants:
 *
 *   each 10 s    which tenants have webhooks, and when the next attempt of each is due     all tenants, a page at a time
 *   each 300 ms  where the feeds of those tenants end                                      by their primary keys
 *   on a change  the webhooks of a tenant, and for each with something to do its lease     one tenant
 */

const turnMs = 300;
const refreshMs = 10_000;
const beatMs = 1000;
/** A lease whose holder was silent for so long is taken over. */
const silentMs = 5000;
const lingerMs = 3000;
const maxTenantsAtOnce = 16;
const maxWorkers = 1000;
const tenantsPerQuery = 500;

const monotonicNow = () => performance.now();

interface Tenant {
  end: Place | undefined;
  /** Where the feed ended when every webhook had been looked at. */
  seen: Place | undefined;
  lookAt: number;
}

interface Engine {
  holder: string;
  tenants: Map<string, Tenant>;
  /** Endpoints that this process delivers to, by tenant and id. */
  working: Map<string, Promise<void>>;
  /** Leases of other processes as they were first seen. */
  foreign: Map<string, { holder: string; beat: number; since: number }>;
  refreshedAt: number;
  /** Aborted when the engine stops. */
  stopping: AbortSignal;
}

const keyOf = (tenantId: string, webhookId: string) => `${tenantId}/${webhookId}`;

const watch = ({ tenants }: Engine, tenantId: string): Tenant => {
  const known = tenants.get(tenantId) ?? { end: undefined, seen: undefined, lookAt: 0 };
  tenants.set(tenantId, known);
  return known;
};

/** Learns which tenants have webhooks. One whose webhooks wait for their time, or are leased, is looked at again. */
async function refresh(engine: Engine): Promise<void> {
  const found = new Set<string>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof tenantsWithWebhooks>> = await tenantsWithWebhooks(after);
    for (const { tenantId, dueAt, isLeased } of page) {
      found.add(tenantId);
      const tenant = watch(engine, tenantId);
      const waitMs = dueAt === null ? Number.POSITIVE_INFINITY : dueAt.getTime() - Date.now();
      tenant.lookAt = Math.min(tenant.lookAt, isLeased ? 0 : monotonicNow() + waitMs);
    }
    after = page.length > 0 ? page.at(-1)?.tenantId : undefined;
  }
  for (const tenantId of engine.tenants.keys())
    if (!found.has(tenantId)) engine.tenants.delete(tenantId);
  engine.refreshedAt = monotonicNow();
}

async function readEnds({ tenants }: Engine): Promise<void> {
  const ids = [...tenants.keys()];
  for (let at = 0; at < ids.length; at += tenantsPerQuery)
    for (const { tenantId, ...end } of await feedEnds(ids.slice(at, at + tenantsPerQuery))) {
      const tenant = tenants.get(tenantId);
      if (tenant) tenant.end = end;
    }
}

/** Whether the lease is free, one's own from before, or of a process that is silent. */
function isClaimable(engine: Engine, key: string, { leaseHolder, leaseBeat }: LeaseState) {
  if (leaseHolder === null || leaseHolder === engine.holder) return true;
  const known = engine.foreign.get(key);
  if (known?.holder === leaseHolder && known.beat === leaseBeat)
    return monotonicNow() - known.since >= silentMs;
  engine.foreign.set(key, { holder: leaseHolder, beat: leaseBeat, since: monotonicNow() });
  return false;
}

function hasWork(state: LeaseState, end: Place): boolean {
  const isDue = state.dueAt !== null && state.dueAt.getTime() <= Date.now();
  const isFailing = state.failures >= failuresUntilProbing;
  return isDue || (isBefore(state, end) && (!isFailing || state.dueAt === null));
}

/** Ends early when the engine stops. */
const pause = (engine: Engine, ms: number) =>
  wait(ms, undefined, { ref: false, signal: engine.stopping }).catch(() => undefined);

/** Waits for the tenant's feed to go on, or for somebody who changed a webhook. */
async function linger(engine: Engine, tenantId: string, place: Place): Promise<boolean> {
  const until = monotonicNow() + lingerMs;
  while (monotonicNow() < until && !engine.stopping.aborted) {
    const tenant = engine.tenants.get(tenantId);
    if (!tenant || tenant.lookAt === 0) return tenant !== undefined;
    if (tenant.end && isBefore(place, tenant.end)) return true;
    await pause(engine, turnMs / 3);
  }
  return false;
}

function startWorker(engine: Engine, tenantId: string, webhookId: string): void {
  const key = keyOf(tenantId, webhookId);
  const work = deliver({
    lease: { tenantId, webhookId, holder: engine.holder },
    isStopping: () => engine.stopping.aborted,
    end: () => engine.tenants.get(tenantId)?.end,
    linger: (place) => linger(engine, tenantId, place),
  }).finally(() => {
    engine.working.delete(key);
    const tenant = engine.tenants.get(tenantId);
    if (tenant) tenant.lookAt = 0;
  });
  engine.working.set(key, work);
}

/** Looks at each webhook of the tenant, and begins to deliver where there is something to do and the lease is free. */
async function look(engine: Engine, tenantId: string, tenant: Tenant): Promise<void> {
  const { end } = tenant;
  if (!end) return;
  tenant.lookAt = Number.POSITIVE_INFINITY;
  const states = await enabledWebhooks(tenantId);
  for (const state of states) {
    const key = keyOf(tenantId, state.webhookId);
    if (engine.working.has(key)) continue;
    const waitMs = hasWork(state, end) ? 0 : (state.dueAt?.getTime() ?? Infinity) - Date.now();
    const lease = { tenantId, webhookId: state.webhookId, holder: engine.holder };
    const mayClaim =
      waitMs === 0 && engine.working.size < maxWorkers && isClaimable(engine, key, state);
    if (mayClaim && (await claimLease(lease, state))) {
      engine.foreign.delete(key);
      startWorker(engine, tenantId, state.webhookId);
    } else tenant.lookAt = Math.min(tenant.lookAt, monotonicNow() + Math.max(waitMs, beatMs));
  }
  tenant.seen = end;
}

async function lookAtChanged(engine: Engine): Promise<void> {
  const now = monotonicNow();
  const changed = [...engine.tenants].filter(
    ([, { end, seen, lookAt }]) => end && (lookAt <= now || !seen || isBefore(seen, end)),
  );
  const queue = changed.values();
  const lane = async () => {
    for (const [tenantId, tenant] of queue)
      if (!engine.stopping.aborted) await look(engine, tenantId, tenant);
  };
  await Promise.all(Array.from({ length: Math.min(maxTenantsAtOnce, changed.length) }, lane));
}

async function takeTurn(engine: Engine): Promise<void> {
  if (monotonicNow() - engine.refreshedAt >= refreshMs) await refresh(engine);
  await readEnds(engine);
  await lookAtChanged(engine);
}

/** Tells other processes that this one lives. */
async function beat({ working, holder }: Engine): Promise<void> {
  const byTenant = new Map<string, string[]>();
  for (const key of working.keys()) {
    const [tenantId = "", webhookId = ""] = key.split("/");
    byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), webhookId]);
  }
  for (const [tenantId, webhookIds] of byTenant) await keepLeases(tenantId, webhookIds, holder);
}

/** Repeats the work until the engine stops; what fails is logged once in a while and tried again. */
async function repeat(engine: Engine, work: (engine: Engine) => Promise<void>, everyMs: number) {
  while (!engine.stopping.aborted) {
    await work(engine).catch((error: unknown) =>
      log().warn({ err: error }, "the delivery of events was interrupted"),
    );
    await pause(engine, everyMs);
  }
}

/** Delivers events to webhooks until the result is called, which waits for what is on its way. */
export function startDelivering(): () => Promise<void> {
  const stop = new AbortController();
  const engine: Engine = {
    holder: randomBytes(12).toString("hex"),
    tenants: new Map(),
    working: new Map(),
    foreign: new Map(),
    refreshedAt: Number.NEGATIVE_INFINITY,
    stopping: stop.signal,
  };
  const stopListening = onWake((tenantId) => {
    watch(engine, tenantId).lookAt = 0;
  });
  const running = [repeat(engine, takeTurn, turnMs), repeat(engine, beat, beatMs)];
  return async () => {
    stop.abort();
    stopListening();
    // A turn that is still running may start the last deliveries.
    await Promise.all(running);
    await Promise.all(engine.working.values());
  };
}
