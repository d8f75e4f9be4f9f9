import { record } from "@/lib/features/audit/service";
import { actingAsSystem } from "@/lib/features/audit/system";
import type { DestinationLease } from "@/lib/features/delivery/work";
import { log } from "@/lib/protocol/log";
import { withLeased } from "./lease-rows";
import { targetOf } from "./open-stream";
import { getStreamRow, type StreamRow } from "./rows";

const program = "audit-streams";

type Failed = Pick<StreamRow, "failingSince" | "failures" | "log"> & {
  disabledReason: "failing" | "gone";
};

/** Disables a stream on behalf of the service; the entry of the trail says why. */
export async function disableStream(lease: DestinationLease, failed: Failed): Promise<void> {
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
export async function skipDeleted(
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
