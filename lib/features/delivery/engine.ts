import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { feedEnds } from "@/lib/database/global";
import { log } from "@/lib/protocol/log";
import type { Family } from "./family";
import { Interruptions } from "./interruptions";
import type { LeaseState } from "./lease-rows";
import { onWake } from "./watched";
import { type DestinationLease, isBefore, type Place } from "./work";

/*
 * Finds destinations with something to deliver: webhooks, and audit streams. Each family has its own loop. No statement of the
 * frequent ones goes through all tenants:
 *
 *   each 10 s    which tenants have destinations, and when the next attempt of each is due     all tenants, a page at a time
 *   each 300 ms  where the facts of those tenants end                                          by their primary keys
 *   on a change  the destinations of a tenant, and for each with something to do its lease     one tenant
 */

const turnMs = 300;
const refreshMs = 10_000;
const beatMs = 1000;
/** How long a lease's holder may be silent before it is taken over. */
const silentMs = 5000;
const lingerMs = 3000;
const maxTenantsAtOnce = 16;
const maxWorkers = 1000;
const tenantsPerQuery = 500;

const monotonicNow = () => performance.now();

interface Tenant {
  end: Place | undefined;
  /** Where that was when every destination had been looked at. */
  seen: Place | undefined;
  lookAt: number;
}

interface Engine {
  family: Family;
  holder: string;
  tenants: Map<string, Tenant>;
  /** Destinations that this process delivers to, by tenant and id. */
  working: Map<string, Promise<void>>;
  interruptions: Interruptions;
  /** Leases of other processes as they were first seen. */
  foreign: Map<string, { holder: string; beat: number; since: number }>;
  refreshedAt: number;
  /** Aborted when the engine stops. */
  stopping: AbortSignal;
}

const keyOf = (tenantId: string, destinationId: string) => `${tenantId}/${destinationId}`;

const watch = ({ tenants }: Engine, tenantId: string): Tenant => {
  const known = tenants.get(tenantId) ?? { end: undefined, seen: undefined, lookAt: 0 };
  tenants.set(tenantId, known);
  return known;
};

/** Learns which tenants have destinations. One whose destinations wait for their time, or are leased, is looked at again. */
async function refresh(engine: Engine): Promise<void> {
  const found = new Set<string>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: Awaited<ReturnType<Family["tenants"]>> = await engine.family.tenants(after);
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
  engine.interruptions.keepOnly(found);
  engine.refreshedAt = monotonicNow();
}

async function readEnds({ tenants, family }: Engine): Promise<void> {
  const ids = [...tenants.keys()];
  for (let at = 0; at < ids.length; at += tenantsPerQuery)
    for (const { tenantId, ...end } of await feedEnds(ids.slice(at, at + tenantsPerQuery))) {
      const tenant = tenants.get(tenantId);
      if (tenant) tenant.end = family.endOf(end);
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

function hasWork({ waitsAfter }: Family, state: LeaseState, end: Place): boolean {
  const isDue = state.dueAt !== null && state.dueAt.getTime() <= Date.now();
  const isWaiting = state.dueAt !== null && state.failures >= waitsAfter;
  return isDue || (isBefore(state, end) && !isWaiting);
}

/** Ends early when the engine stops. */
const pause = (engine: Engine, ms: number) =>
  wait(ms, undefined, { ref: false, signal: engine.stopping }).catch(() => undefined);

/** Waits for the tenant's facts to go on, or for somebody who changed a destination. */
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

function startWorker(engine: Engine, lease: DestinationLease): void {
  const { tenantId, destinationId } = lease;
  const key = keyOf(tenantId, destinationId);
  const work = engine.family
    .deliver({
      lease,
      isStopping: () => engine.stopping.aborted,
      end: () => engine.tenants.get(tenantId)?.end,
      linger: (place) => linger(engine, tenantId, place),
    })
    .then(
      () => engine.interruptions.end(lease),
      (error: unknown) => engine.interruptions.begin(lease, error),
    )
    .finally(() => {
      engine.working.delete(key);
      const tenant = engine.tenants.get(tenantId);
      if (tenant) tenant.lookAt = 0;
    });
  engine.working.set(key, work);
}

/** Looks at each destination of the tenant, and begins to deliver where there is something to do and the lease is free. */
async function look(engine: Engine, tenantId: string, tenant: Tenant): Promise<void> {
  const { end } = tenant;
  const { family, holder } = engine;
  if (!end) return;
  tenant.lookAt = Number.POSITIVE_INFINITY;
  const states = await family.leases.enabled(tenantId);
  for (const state of states) {
    const { destinationId } = state;
    const key = keyOf(tenantId, destinationId);
    if (engine.working.has(key)) continue;
    const lease = { tenantId, destinationId, holder };
    const restMs = engine.interruptions.restMs(lease);
    const dueMs = hasWork(family, state, end)
      ? 0
      : (state.dueAt?.getTime() ?? Infinity) - Date.now();
    const waitMs = Math.max(0, restMs, dueMs);
    const mayClaim =
      waitMs === 0 && engine.working.size < maxWorkers && isClaimable(engine, key, state);
    if (mayClaim && (await family.leases.claim(lease, state))) {
      engine.foreign.delete(key);
      startWorker(engine, lease);
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

/** Shows other processes that this one is alive. */
async function beat({ working, interruptions, holder, family }: Engine): Promise<void> {
  const byTenant = new Map<string, string[]>();
  for (const key of new Set([...working.keys(), ...interruptions.resting()])) {
    const [tenantId = "", destinationId = ""] = key.split("/");
    byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), destinationId]);
  }
  for (const [tenantId, ids] of byTenant) await family.leases.keep(tenantId, ids, holder);
}

/** Repeats the work until the engine stops; what fails is logged once in a while and tried again. */
async function repeat(engine: Engine, work: (engine: Engine) => Promise<void>, everyMs: number) {
  while (!engine.stopping.aborted) {
    await work(engine).catch((error: unknown) =>
      log().warn({ err: error }, "the search for deliveries was interrupted"),
    );
    await pause(engine, everyMs);
  }
}

function start(family: Family): () => Promise<void> {
  const stop = new AbortController();
  // Each destination that waits for more listens.
  setMaxListeners(0, stop.signal);
  const engine: Engine = {
    family,
    holder: randomBytes(12).toString("hex"),
    tenants: new Map(),
    working: new Map(),
    interruptions: new Interruptions(family.interruptedMs),
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

/** Delivers to each family of destinations until the result is called, which waits for what is on its way. */
export function startDelivering(families: readonly Family[]): () => Promise<void> {
  const stops = families.map(start);
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
