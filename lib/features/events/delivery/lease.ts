import { databaseOn, lane, read } from "@/lib/database/open";
import type { FeedPosition } from "@/lib/features/events/rows";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";

export const isBefore = (a: FeedPosition, b: FeedPosition): boolean =>
  a.auditSeq < b.auditSeq || (a.auditSeq === b.auditSeq && a.eventSeq < b.eventSeq);

/** The engine's interface for the delivery to one destination. */
export interface Work {
  lease: DestinationLease;
  isStopping: () => boolean;
  /** The position of the tenant's last event when it was last read. */
  end: () => FeedPosition | undefined;
  /** Waits a while for events after the position; false when none came. */
  waitForEvents: (position: FeedPosition) => Promise<boolean>;
}

/** The lease of one process on one destination. */
export interface DestinationLease {
  tenantId: string;
  destinationId: string;
  holder: string;
}

/** One kind of destination that the engine delivers to: webhooks, or audit streams. */
export interface DestinationKind {
  /** The next tenants with enabled destinations, ordered by id, and when to check each. */
  tenants: (
    after: string,
  ) => Promise<readonly { tenantId: string; dueAt: Date | null; isLeased: boolean }[]>;
  leases: ReturnType<typeof leasesOn>;
  /** The end of the tenant's events from the view of this kind of destination. */
  endOf: (end: FeedPosition) => FeedPosition;
  /** After this number of consecutive failures a destination waits until its next attempt. */
  waitsAfter: number;
  /** Milliseconds until a destination is tried again after this many interruptions in a row. */
  interruptedMs: (times: number) => number;
  /** Delivers to one destination whose lease this process holds, until nothing is left. Throws if the outcome cannot be recorded. */
  deliver: (work: Work) => Promise<void>;
}

/*
 * One process at a time delivers to a destination. It holds the lease: the row has its id and a counter that it increments at least once a
 * second. Another process takes the lease over once it has seen the same id and counter for `silentMs`. Clocks of different machines are
 * never compared. Every write checks that the lease is still held, so a former holder writes nothing.
 */

/** The connection pool for deliveries. */
export const store = () => databaseOn(lane("deliveries"));

/** A destination as the engine sees it. */
export interface LeaseState {
  destinationId: string;
  auditSeq: number;
  eventSeq: number;
  dueAt: Date | null;
  leaseHolder: string | null;
  leaseBeat: number;
  failures: number;
}

interface LeasedTable {
  name: string;
  /** The id column. */
  id: string;
  /** The SQL expression of the position among events about customers. */
  eventSeq: string;
}

async function write(name: string, text: string, values: unknown[]): Promise<number> {
  return (await store().$client.query({ name, text }, values)).rows.length;
}

/** The leases of the destinations of one table, which has the columns disabled_at, due_at, failures, audit_seq, lease_holder and lease_beat. */
export function leasesOn({ name, id, eventSeq }: LeasedTable) {
  const states = `select ${id} as "destinationId", audit_seq::float8 as "auditSeq", ${eventSeq}::float8 as "eventSeq", due_at as "dueAt",
    lease_holder as "leaseHolder", lease_beat::float8 as "leaseBeat", failures from ${name} where tenant_id = $1 and disabled_at is null order by ${id}`;
  const claim = `update ${name} set lease_holder = $3, lease_beat = lease_beat + 1 where tenant_id = $1 and ${id} = $2
    and lease_holder is not distinct from $4 and lease_beat = $5 and disabled_at is null returning ${id}`;
  const keep = `update ${name} set lease_beat = lease_beat + 1 where tenant_id = $1 and ${id} = any($2) and lease_holder = $3 returning ${id}`;
  return {
    /** The enabled destinations of a tenant. */
    enabled: (tenantId: string): Promise<readonly LeaseState[]> =>
      read<LeaseState>(`enabled-${name}`, states, [tenantId]),

    /** Takes the lease if it has not changed since `seen` was read. */
    async claim({ tenantId, destinationId, holder }: DestinationLease, seen: LeaseState) {
      const values = [tenantId, destinationId, holder, seen.leaseHolder, seen.leaseBeat];
      return (await write(`claim-${name}`, claim, values)) > 0;
    },

    /** Increments the counters of one tenant's leases. */
    async keep(tenantId: string, ids: string[], holder: string): Promise<void> {
      await write(`keep-${name}`, keep, [tenantId, ids, holder]);
    },
  };
}

/** How long a lease's holder may be silent before it is taken over. */
const silentMs = 5000;

/** The leases of other processes, as this one first saw them. */
export class OtherLeases {
  readonly #own: string;
  readonly #seen = new Map<string, { holder: string; beat: number; since: number }>();

  /** @param own The holder id of this process. */
  constructor(own: string) {
    this.#own = own;
  }

  /** Whether the lease is free, already held by this process, or held by one that went silent. */
  isClaimable(key: string, { leaseHolder: holder, leaseBeat: beat }: LeaseState): boolean {
    if (holder === null || holder === this.#own) return true;
    const known = this.#seen.get(key);
    const now = performance.now();
    if (known?.holder === holder && known.beat === beat) return now - known.since >= silentMs;
    this.#seen.set(key, { holder, beat, since: now });
    return false;
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}

type Wake = (tenantId: string) => void;

const wakes = perProcess("delivery-wakes", () => new Set<Wake>());

/** Subscribes to changes of a tenant's destinations in this process; returns an unsubscribe function. */
export function onWake(wake: Wake): () => void {
  wakes().add(wake);
  return () => {
    wakes().delete(wake);
  };
}

/** Has the engine of this process look at a tenant's destinations at its next turn. */
export function wakeTenant(tenantId: string): void {
  for (const wake of wakes()) wake(tenantId);
}

interface Interrupted {
  /** Consecutive interruptions. */
  times: number;
  /** By the monotonic clock. */
  until: number;
}

const keyOf = ({ tenantId, destinationId }: Omit<DestinationLease, "holder">) =>
  `${tenantId}/${destinationId}`;

/**
 * Deliveries whose outcome could not be recorded. They are sent again after a delay, like after a failed attempt. Otherwise a receiver
 * would get the same events in a loop for as long as the fault lasts. The process holds the leases until then, so that no other process
 * repeats the deliveries.
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

  /** Milliseconds until the destination is tried again; 0 or less if it may be tried now. */
  restMs(lease: DestinationLease): number {
    return (this.#byKey.get(keyOf(lease))?.until ?? 0) - performance.now();
  }

  /** The keys of the destinations that are waiting to be retried. */
  resting(): string[] {
    const now = performance.now();
    return [...this.#byKey].flatMap(([key, { until }]) => (until > now ? key : []));
  }

  /** Forgets the destinations of all other tenants. */
  keepOnly(tenantIds: ReadonlySet<string>): void {
    for (const key of this.#byKey.keys())
      if (!tenantIds.has(key.split("/", 1)[0] ?? "")) this.#byKey.delete(key);
  }
}
