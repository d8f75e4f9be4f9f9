import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { tenantsWithStreams } from "@/lib/database/global";
import { type Transaction, transaction } from "@/lib/database/open";
import { auditStreams } from "@/lib/database/schema/schema";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import {
  type Attempt,
  healthAfter,
  maxFailingMs,
  recordAttempts,
  retryDelayMs,
} from "@/lib/features/events/delivery/attempt";
import {
  type DestinationKind,
  type DestinationLease,
  leasesOn,
  store,
  type Work,
} from "@/lib/features/events/delivery/lease";
import { withSlot } from "@/lib/features/events/delivery/slots";
import { log } from "@/lib/protocol/log";
import { byId, getStreamRow, type StreamRow } from "./rows";
import { type Batch, nextBatch, targetOf } from "./stream";
import { sendBatch } from "./transport";

const streamLeases = leasesOn({ name: "audit_streams", id: "stream_id", eventSeq: "0" });

const heldBy = ({ tenantId, destinationId, holder }: DestinationLease) =>
  and(byId(tenantId, destinationId), eq(auditStreams.leaseHolder, holder));

/** The stream as it is now; undefined where it is disabled or deleted, or the lease is another process's. */
async function leasedStream(lease: DestinationLease): Promise<StreamRow | undefined> {
  const [row] = await store()
    .select()
    .from(auditStreams)
    .where(and(heldBy(lease), isNull(auditStreams.disabledAt)));
  return row;
}

/** Writes to the stream while the lease is held. False when it is lost: then nothing is written. */
async function setLeased(
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
async function giveBack(
  lease: DestinationLease,
  set: Partial<StreamRow>,
  [before, dueAt]: readonly [seen: Date | null, until: Date],
): Promise<void> {
  const [known, until] = [before?.toISOString() ?? null, dueAt.toISOString()];
  const at = sql`case when ${auditStreams.dueAt} is not distinct from ${known}::timestamptz then ${until}::timestamptz else ${auditStreams.dueAt} end`;
  await setLeased(lease, { ...set, dueAt: at });
}

/** Writes to the stream together with something else, where the lease is still held. */
const withLeased = (
  lease: DestinationLease,
  set: Partial<StreamRow>,
  work: (tx: Transaction) => Promise<void>,
): Promise<boolean> =>
  transaction(async (tx) => {
    const isHeld = await setLeased(lease, set, tx);
    if (isHeld) await work(tx);
    return isHeld;
  });

/*
 * Delivers to one audit stream while this process holds its lease: the entries after its position, a batch at a time, in the order of
 * the chain. The position moves once a batch is delivered. A process that ends in between has written nothing: the next one sends
 * the same entries again. A batch that fails is tried again after a while, and nothing overtakes it.
 */

const program = "audit-streams";

type Failed = Pick<StreamRow, "failingSince" | "failures" | "log"> & {
  disabledReason: "failing" | "gone";
};

/** Disables a stream on behalf of the service; the entry of the trail says why. */
async function disableStream(lease: DestinationLease, failed: Failed): Promise<void> {
  const { tenantId, destinationId: streamId } = lease;
  const { disabledReason: reason } = failed;
  await withLeased(
    lease,
    { ...failed, disabledAt: new Date(), dueAt: null, leaseHolder: null },
    async (tx) =>
      record(tx, actingAsSystem(tenantId, program), {
        action: "audit-stream.disabled",
        target: targetOf(await getStreamRow(tenantId, streamId, tx)),
        changes: { reason: { after: reason } },
      }),
  );
  log().warn({ tenantId, streamId, reason }, "an audit stream was disabled");
}

/** Goes on behind entries that were deleted by age, and says so: in the stream's state, and in the trail, which the stream delivers too. */
async function skipDeleted(
  lease: DestinationLease,
  row: StreamRow,
  last: number,
): Promise<boolean> {
  const { tenantId, streamId } = row;
  const first = row.auditSeq + 1;
  const gap = { first, last, at: new Date().toISOString() };
  log().warn({ tenantId, streamId, first, last }, "an audit stream missed entries");
  return withLeased(lease, { auditSeq: last, gap }, (tx) =>
    record(tx, actingAsSystem(tenantId, program), {
      action: "audit-stream.entries-missed",
      target: targetOf(row),
      changes: { first: { after: first }, last: { after: last } },
    }),
  );
}

const maxLogged = 20;

/** When the entries are to be sent: storage gets one object for what was made within a while. */
function dueAtOf({ settings }: StreamRow, { entries, isFull }: Batch): Date | null {
  const [first] = entries;
  if (settings.kind !== "s3" || isFull || !first) return null;
  const dueAt = new Date(new Date(first.occurredAt).getTime() + settings.every * 1000);
  return dueAt > new Date() ? dueAt : null;
}

/** Sends the batch and writes what came of it. Whether to go on. */
async function take({ lease }: Work, row: StreamRow, batch: Batch): Promise<boolean> {
  const { tenantId, streamId } = row;
  const attempt = await withSlot(tenantId, streamId, () => sendBatch(row, batch));
  const { first, last } = batch;
  const { isDelivered, ...logged } = attempt;
  const attempts = [...row.log, { ...logged, first, last }].slice(-maxLogged);
  return recordAttempts([{ log: attempts }], ([{ log } = { log: [] }]) =>
    recordBatch(lease, { row, attempt, last, log: log as StreamRow["log"] }),
  );
}

interface Taken {
  row: StreamRow;
  attempt: Attempt;
  /** The last entry of the batch. */
  last: number;
  log: StreamRow["log"];
}

/** Writes what came of a batch. Whether to go on. */
async function recordBatch(
  lease: Work["lease"],
  { row, attempt, last, log }: Taken,
): Promise<boolean> {
  const { failures, failingSince } = row;
  const { isDelivered } = attempt;
  const now = new Date();
  const health = healthAfter({ failures, failingSince }, isDelivered, now);
  if (isDelivered) {
    const progress = { auditSeq: last, deliveredAt: now, dueAt: null };
    return setLeased(lease, { ...health, ...progress, log });
  }
  const reason = attempt.status === 410 ? "gone" : "failing";
  const isOld =
    health.failingSince && now.getTime() - health.failingSince.getTime() >= maxFailingMs;
  if (reason === "gone" || isOld)
    await disableStream(lease, { ...health, log, disabledReason: reason });
  else {
    const dueAt = new Date(now.getTime() + retryDelayMs(health.failures));
    await giveBack(lease, { ...health, log, leaseHolder: null }, [row.dueAt, dueAt]);
  }
  return false;
}

/** Whether to go on with the same stream. */
async function takeTurn(work: Work): Promise<boolean> {
  const { lease } = work;
  const row = await leasedStream(lease);
  if (!row) return false;
  // Read before the entries: all up to it are among them, or were deleted.
  const end = work.end();
  const batch = await nextBatch(row.tenantId, row.auditSeq);
  const next = batch?.first ?? (end?.auditSeq ?? 0) + 1;
  if (next > row.auditSeq + 1) return skipDeleted(lease, row, next - 1);
  if (!batch) {
    const isMore = await work.waitForEvents({ auditSeq: row.auditSeq, eventSeq: 0 });
    if (!isMore) await setLeased(lease, { dueAt: null, leaseHolder: null });
    return isMore;
  }
  const dueAt = row.dueAt && row.dueAt > new Date() ? row.dueAt : dueAtOf(row, batch);
  if (!dueAt) return take(work, row, batch);
  await setLeased(lease, { dueAt, leaseHolder: null });
  return false;
}

/** Delivers until nothing is left, a batch fails, the lease is lost or the process stops. Throws with the lease as it is. */
async function deliverEntries(work: Work): Promise<void> {
  const { lease, isStopping } = work;
  while (await takeTurn(work)) {
    if (!isStopping()) continue;
    await setLeased(lease, { leaseHolder: null });
    return;
  }
}

export const streamDestinations: DestinationKind = {
  tenants: tenantsWithStreams,
  leases: streamLeases,
  // What customers did stands in no trail.
  endOf: ({ auditSeq }) => ({ auditSeq, eventSeq: 0 }),
  waitsAfter: 0,
  interruptedMs: retryDelayMs,
  deliver: deliverEntries,
};
