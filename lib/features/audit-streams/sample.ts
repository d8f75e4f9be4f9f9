import type { Caller } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { batchOf, type StreamedEntry } from "./batch";
import { targetOf } from "./open-stream";
import { getStreamRow } from "./rows";
import { sendBatch } from "./transport";

/** Sends one entry that stands in no chain to a stream, enabled or not, and returns what came of it. Throws 404. */
export async function testAuditStream(caller: Caller, id: string) {
  const row = await getStreamRow(caller.tenantId, id);
  const action = "audit-stream.tested";
  const target = targetOf(row);
  await transaction((tx) => record(tx, actingAs(caller), { action, target }));
  const entry: StreamedEntry = {
    id: newId("aud"),
    occurredAt: new Date().toISOString(),
    actor: { type: "user", id: caller.userId, login: caller.login },
    ...{ action, target, changes: {}, requestId: caller.requestId, result: "success" as const },
  };
  const { isDelivered, ...attempt } = await sendBatch(row, batchOf([entry]));
  return { delivered: isDelivered, attempt };
}
