import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Transaction, transaction } from "@/lib/database/open";
import { auditStreams } from "@/lib/database/schema/schema";
import type { DestinationLease } from "@/lib/features/delivery/lease";
import { leasesOn, store } from "@/lib/features/delivery/lease";
import { byId, type StreamRow } from "./rows";

export const streamLeases = leasesOn({ name: "audit_streams", id: "stream_id", eventSeq: "0" });

const heldBy = ({ tenantId, destinationId, holder }: DestinationLease) =>
  and(byId(tenantId, destinationId), eq(auditStreams.leaseHolder, holder));

/** The stream as it is now; undefined where it is disabled or deleted, or the lease is another process's. */
export async function leasedStream(lease: DestinationLease): Promise<StreamRow | undefined> {
  const [row] = await store()
    .select()
    .from(auditStreams)
    .where(and(heldBy(lease), isNull(auditStreams.disabledAt)));
  return row;
}

/** Writes to the stream while the lease is held. False when it is lost: then nothing is written. */
export async function setLeased(
  lease: DestinationLease,
  set: Omit<Partial<StreamRow>, "dueAt"> & { dueAt?: Date | SQL | null },
  on: Pick<Transaction, "update"> = store(),
): Promise<boolean> {
  const rows = await on
    .update(auditStreams)
    .set({ ...set, leaseBeat: sql`${auditStreams.leaseBeat} + 1` })
    .where(heldBy(lease))
    .returning({ id: auditStreams.streamId });
  return rows.length > 0;
}

/** Gives the lease back until a time, unless somebody who changed the stream meanwhile wants it tried at once. */
export async function giveBack(
  lease: DestinationLease,
  set: Partial<StreamRow>,
  [before, dueAt]: readonly [seen: Date | null, until: Date],
): Promise<void> {
  const [known, until] = [before?.toISOString() ?? null, dueAt.toISOString()];
  const at = sql`case when ${auditStreams.dueAt} is not distinct from ${known}::timestamptz then ${until}::timestamptz else ${auditStreams.dueAt} end`;
  await setLeased(lease, { ...set, dueAt: at });
}

/** Writes to the stream together with something else, where the lease is still held. */
export const withLeased = (
  lease: DestinationLease,
  set: Partial<StreamRow>,
  work: (tx: Transaction) => Promise<void>,
): Promise<boolean> =>
  transaction(async (tx) => {
    const isHeld = await setLeased(lease, set, tx);
    if (isHeld) await work(tx);
    return isHeld;
  });
