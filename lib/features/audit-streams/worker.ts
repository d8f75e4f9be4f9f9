import { maxFailingMs, retryDelayMs } from "@/lib/features/delivery/back-off";
import { healthAfter } from "@/lib/features/delivery/health";
import { withSlot } from "@/lib/features/delivery/slots";
import type { Work } from "@/lib/features/delivery/work";
import { log } from "@/lib/protocol/log";
import { type Batch, nextBatch } from "./batch";
import { disableStream, skipDeleted } from "./endings";
import { giveBack, leasedStream, setLeased } from "./lease-rows";
import type { StreamRow } from "./rows";
import { sendBatch } from "./transport";

/*
 * Delivers to one audit stream while this process holds its lease: the entries after its position, a batch at a time, in the order of
 * the chain. The position moves once a batch is delivered. A process that ends in between has written nothing: the next one sends
 * the same entries again. A batch that fails is tried again after a while, and nothing overtakes it.
 */

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
  const { tenantId, streamId, failures, failingSince } = row;
  const { isDelivered, ...attempt } = await withSlot(tenantId, streamId, () =>
    sendBatch(row, batch),
  );
  const now = new Date();
  const health = healthAfter({ failures, failingSince }, isDelivered, now);
  const { first, last } = batch;
  const attempts = [...row.log, { ...attempt, first, last }].slice(-maxLogged);
  if (isDelivered) {
    const progress = { auditSeq: last, deliveredAt: now, dueAt: null };
    return setLeased(lease, { ...health, ...progress, log: attempts });
  }
  const reason = attempt.status === 410 ? "gone" : "failing";
  const isOld =
    health.failingSince && now.getTime() - health.failingSince.getTime() >= maxFailingMs;
  if (reason === "gone" || isOld)
    await disableStream(lease, { ...health, log: attempts, disabledReason: reason });
  else {
    const dueAt = new Date(now.getTime() + retryDelayMs(health.failures));
    await giveBack(lease, { ...health, log: attempts, leaseHolder: null }, [row.dueAt, dueAt]);
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
    const isMore = await work.linger({ auditSeq: row.auditSeq, eventSeq: 0 });
    if (!isMore) await setLeased(lease, { dueAt: null, leaseHolder: null });
    return isMore;
  }
  const dueAt = row.dueAt && row.dueAt > new Date() ? row.dueAt : dueAtOf(row, batch);
  if (!dueAt) return take(work, row, batch);
  await setLeased(lease, { dueAt, leaseHolder: null });
  return false;
}

/** Delivers until nothing is left, a batch fails, the lease is lost or the process stops. Never throws. */
export async function deliverEntries(work: Work): Promise<void> {
  const { lease, isStopping } = work;
  try {
    while (await takeTurn(work)) {
      if (!isStopping()) continue;
      await setLeased(lease, { leaseHolder: null });
      return;
    }
  } catch (error) {
    // The lease is left as it is: this process takes it again, or another one once it is silent.
    const { tenantId, destinationId: streamId } = lease;
    log().warn({ err: error, tenantId, streamId }, "the delivery of audit entries was interrupted");
  }
}
