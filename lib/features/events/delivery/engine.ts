import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { feedEnds } from "@/lib/database/global";
import type { FeedPosition } from "@/lib/features/events/rows";
import { log } from "@/lib/protocol/log";
import {
  type DestinationKind,
  type DestinationLease,
  Interruptions,
  isBefore,
  type LeaseState,
  OtherLeases,
  onWake,
} from "./lease";

/*
 * How an event travels from the change that it reports to its destinations:
 *
 *   record(), noteActivity()   write it with the change; the tenant's row gives it its position            one transaction
 *   readEnds()   each 300 ms   sees that the end of a tenant's events has moved                            by primary keys
 *   refresh()    each 10 s     learns which tenants have destinations, and when attempts are due again     page by page
 *   look()                     finds destinations with work, and takes their leases                        one tenant
 *   deliver()                  of webhooks or of audit-streams: reads the events after the position of the destination,
 *                              makes a delivery of each, or a batch of them, and attempts it: signed, once
 *   its statements with lease  write what came of the attempt together with the new position: after a crash before that, it is sent again
 *   retryDelayMs()             a delivery that failed is attempted again later, for three days; then the destination is disabled
 *
 * Each kind of destination has its own loop. No frequent statement scans all tenants.
 */

const turnMs = 300;
const refreshMs = 10_000;
const beatMs = 1000;
const maxWaitMs = 3000;
const maxTenantsAtOnce = 16;
const maxWorkers = 1000;
const tenantsPerQuery = 500;

const monotonicNow = () => performance.now();

interface Tenant {
  end: FeedPosition | undefined;
  /** The value of `end` when all destinations were last checked. */
  seen: FeedPosition | undefined;
  lookAt: number;
}

interface Engine {
  kind: DestinationKind;
  holder: string;
  tenants: Map<string, Tenant>;
  /** Destinations that this process delivers to, by tenant and id. */
  working: Map<string, Promise<void>>;
  interruptions: Interruptions;
  others: OtherLeases;
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

/** Reads which tenants have destinations. Schedules another check of those whose destinations are due later or leased. */
async function refresh(engine: Engine): Promise<void> {
  const found = new Set<string>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: Awaited<ReturnType<DestinationKind["tenants"]>> = await engine.kind.tenants(after);
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

async function readEnds({ tenants, kind }: Engine): Promise<void> {
  const ids = [...tenants.keys()];
  for (let at = 0; at < ids.length; at += tenantsPerQuery)
    for (const { tenantId, ...end } of await feedEnds(ids.slice(at, at + tenantsPerQuery))) {
      const tenant = tenants.get(tenantId);
      if (tenant) tenant.end = kind.endOf(end);
    }
}

function hasWork({ waitsAfter }: DestinationKind, state: LeaseState, end: FeedPosition): boolean {
  const isDue = state.dueAt !== null && state.dueAt.getTime() <= Date.now();
  const isWaiting = state.dueAt !== null && state.failures >= waitsAfter;
  return isDue || (isBefore(state, end) && !isWaiting);
}

/** Resolves early when the engine stops. */
const pause = (engine: Engine, ms: number) =>
  wait(ms, undefined, { ref: false, signal: engine.stopping }).catch(() => undefined);

/** Waits for further events of the tenant, or for a change of one of its destinations. */
async function waitForEvents(
  engine: Engine,
  tenantId: string,
  position: FeedPosition,
): Promise<boolean> {
  const until = monotonicNow() + maxWaitMs;
  while (monotonicNow() < until && !engine.stopping.aborted) {
    const tenant = engine.tenants.get(tenantId);
    if (!tenant || tenant.lookAt === 0) return tenant !== undefined;
    if (tenant.end && isBefore(position, tenant.end)) return true;
    await pause(engine, turnMs / 3);
  }
  return false;
}

function startWorker(engine: Engine, lease: DestinationLease): void {
  const { tenantId, destinationId } = lease;
  const key = keyOf(tenantId, destinationId);
  const work = engine.kind
    .deliver({
      lease,
      isStopping: () => engine.stopping.aborted,
      end: () => engine.tenants.get(tenantId)?.end,
      waitForEvents: (position) => waitForEvents(engine, tenantId, position),
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

/** Checks each destination of the tenant and starts delivering to those that have work and a free lease. */
async function look(engine: Engine, tenantId: string, tenant: Tenant): Promise<void> {
  const { end } = tenant;
  const { kind, holder } = engine;
  if (!end) return;
  tenant.lookAt = Number.POSITIVE_INFINITY;
  const states = await kind.leases.enabled(tenantId);
  for (const state of states) {
    const { destinationId } = state;
    const key = keyOf(tenantId, destinationId);
    if (engine.working.has(key)) continue;
    const lease = { tenantId, destinationId, holder };
    const restMs = engine.interruptions.restMs(lease);
    const dueMs = hasWork(kind, state, end) ? 0 : (state.dueAt?.getTime() ?? Infinity) - Date.now();
    const waitMs = Math.max(0, restMs, dueMs);
    const mayClaim =
      waitMs === 0 && engine.working.size < maxWorkers && engine.others.isClaimable(key, state);
    if (mayClaim && (await kind.leases.claim(lease, state))) {
      engine.others.forget(key);
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

/** Renews the leases of this process. */
async function beat({ working, interruptions, holder, kind }: Engine): Promise<void> {
  const byTenant = new Map<string, string[]>();
  for (const key of new Set([...working.keys(), ...interruptions.resting()])) {
    const [tenantId = "", destinationId = ""] = key.split("/");
    byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), destinationId]);
  }
  for (const [tenantId, ids] of byTenant) await kind.leases.keep(tenantId, ids, holder);
}

/** Repeats the work until the engine stops; failures are logged and the work is retried. */
async function repeat(engine: Engine, work: (engine: Engine) => Promise<void>, everyMs: number) {
  while (!engine.stopping.aborted) {
    await work(engine).catch((error: unknown) =>
      log().warn({ err: error }, "the search for deliveries was interrupted"),
    );
    await pause(engine, everyMs);
  }
}

function start(kind: DestinationKind): () => Promise<void> {
  const stop = new AbortController();
  // Each destination that waits for events adds a listener.
  setMaxListeners(0, stop.signal);
  const holder = randomBytes(12).toString("hex");
  const engine: Engine = {
    kind,
    holder,
    others: new OtherLeases(holder),
    tenants: new Map(),
    working: new Map(),
    interruptions: new Interruptions(kind.interruptedMs),
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

/** Delivers to each kind of destination until the returned function is called, which waits for pending deliveries. */
export function startDelivering(kinds: readonly DestinationKind[]): () => Promise<void> {
  const stops = kinds.map(start);
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
