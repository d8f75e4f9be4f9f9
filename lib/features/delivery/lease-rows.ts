import { databaseOn, lane, read } from "@/lib/database/open";
import type { DestinationLease } from "./work";

/*
 * One process at a time delivers to a destination. It holds the lease: its id stands in the row, and it raises the counter next to it at least
 * once a second. Another process takes the lease over once it has seen the same id and counter for this time. No clock is compared with
 * another one's. Whatever the holder writes says that the lease is its own, so that one that was taken over writes nothing.
 */

/** The connections of the delivery. */
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
  /** The column of the id. */
  id: string;
  /** The expression of the position among events about customers. */
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

    /** Takes the lease where nothing has changed since `seen` was read. */
    async claim({ tenantId, destinationId, holder }: DestinationLease, seen: LeaseState) {
      const values = [tenantId, destinationId, holder, seen.leaseHolder, seen.leaseBeat];
      return (await write(`claim-${name}`, claim, values)) > 0;
    },

    /** Raises the counters of leases of one tenant. */
    async keep(tenantId: string, ids: string[], holder: string): Promise<void> {
      await write(`keep-${name}`, keep, [tenantId, ids, holder]);
    },
  };
}
