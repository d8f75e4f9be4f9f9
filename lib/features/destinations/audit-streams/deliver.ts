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

/** The current stream; undefined if it is disabled or deleted, or another process has the lease. */
async function leasedStream(lease: DestinationLease): Promise<StreamRow | undefined> {
  const [row] = await store()
    .select()
    .from(auditStreams)
    .where(and(heldBy(lease), isNull(auditStreams.disabledAt)));
  return row;
}

/** Updates the stream if the lease is still held; otherwise writes nothing and returns false. */
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

/** Releases the lease and sets the due time, unless a concurrent change of the stream requested an immediate attempt. */
async function giveBack(
  lease: DestinationLease,
  set: Partial<StreamRow>,
  [before, dueAt]: readonly [seen: Date | null, until: Date],
): Promise<void> {
  const [known, until] = [before?.toISOString() ?? null, dueAt.toISOString()];
  const at = sql`case when ${auditStreams.dueAt} is not distinct from ${known}::timestamptz then ${until}::timestamptz else ${auditStreams.dueAt} end`;
  await setLeased(lease, { ...set, dueAt: at });
}

/** Updates the stream and runs `work` in one transaction, if the lease is still held. */
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
 * the chain. The position advances once a batch is delivered. If a process ends before that, the next one sends the same entries again. A
 * failed batch is retried after a delay, before any later entry.
 */

const program = "audit-streams";

type Failed = Pick<StreamRow, "failingSince" | "failures" | "log"> & {
  disabledReason: "failing" | "gone";
};

/** Disables a stream on behalf of the service; the audit entry has the reason. */
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

/** Skips entries that were deleted by age, and records the gap in the stream's state and in the trail, which the stream delivers too. */
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

/** When to send the entries: storage gets one object for all entries within an interval. Null is now. */
function dueAtOf({ settings }: StreamRow, { entries, isFull }: Batch): Date | null {
  const [first] = entries;
  if (settings.kind !== "s3" || isFull || !first) return null;
  const dueAt = new Date(new Date(first.occurredAt).getTime() + settings.every * 1000);
  return dueAt > new Date() ? dueAt : null;
}

/** Sends the batch and stores the outcome. Returns whether to continue. */
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

/** Stores the outcome of a batch. Returns whether to continue. */
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

/** Delivers one batch. Returns whether to continue with the stream. */
async function takeTurn(work: Work): Promise<boolean> {
  const { lease } = work;
  const row = await leasedStream(lease);
  if (!row) return false;
  // Read before the entries, so that every missing entry up to it was deleted.
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

/** Delivers until nothing is left, a batch fails, the lease is lost or the process stops. When it throws, the lease is still held. */
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
  // Customer activity is not part of the audit trail.
  endOf: ({ auditSeq }) => ({ auditSeq, eventSeq: 0 }),
  waitsAfter: 0,
  interruptedMs: retryDelayMs,
  deliver: deliverEntries,
};
