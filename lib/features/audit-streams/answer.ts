import { db, type Executor } from "@/lib/database/open";
import { timeOfEntryAfter } from "@/lib/features/audit/entries-after";
import type { StreamSettings } from "@/lib/protocol/documents/audit-stream";
import { durationText } from "@/lib/protocol/durations";
import type { AuditStream } from "./contract";
import { endOfTrail, type StreamRow } from "./rows";

const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;

const shown = (settings: StreamSettings) =>
  settings.kind === "s3" ? { ...settings, every: durationText(settings.every) } : settings;

async function stateOf(row: StreamRow, on: Executor): Promise<AuditStream["state"]> {
  const { tenantId, auditSeq: position, deliveredAt, failingSince, dueAt, gap, log } = row;
  const behind = Math.max(0, (await endOfTrail(on, tenantId)) - position);
  const oldest =
    behind === 0 ? undefined : await timeOfEntryAfter(on, { tenantId, after: position });
  return {
    position,
    ...{ deliveredAt: iso(deliveredAt), behind, behindSince: iso(oldest) },
    ...{ failingSince: iso(failingSince), nextAttemptAt: iso(dueAt) },
    ...{ missed: gap, attempts: log },
  };
}

/** A stream as it is shown: without its secrets, with what is known of its delivery. */
export async function toStream(row: StreamRow, on: Executor = db()): Promise<AuditStream> {
  const { streamId: id, settings, description, disabledAt, disabledReason, createdAt } = row;
  return {
    id,
    ...shown(settings),
    description,
    status: disabledAt === null ? "enabled" : "disabled",
    disabledReason,
    createdAt: createdAt.toISOString(),
    state: await stateOf(row, on),
  };
}
