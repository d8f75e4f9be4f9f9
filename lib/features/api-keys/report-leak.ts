import { setTimeout as pause } from "node:timers/promises";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Origin } from "@/lib/access/caller";
import { isApiKey, sha256 } from "@/lib/access/secrets";
import { leakedApiKey } from "@/lib/database/global";
import { record } from "@/lib/features/audit/service";
import { withdrawHandOffsOfKeys } from "./hand-offs/rows";
import { deletePreviousUseRows } from "./previous-use-rows";
import { findKeyRow, statusOf, updateKeyRow } from "./rows";

/** Every answer waits for the next of these beats: how long the work took reveals nothing. */
const beatMilliseconds = 250;

/** Takes a report of any text in, and answers the same, at the same beat, whatever became of it. */
export async function reportLeak(apiKey: string, origin: Origin): Promise<void> {
  const since = performance.now();
  try {
    await suspendLeaked(apiKey, origin);
  } finally {
    await pause(beatMilliseconds - ((performance.now() - since) % beatMilliseconds));
  }
}

/**
 * Suspends the key with this secret until it is rotated; where the secret is the one before a rotation, that one ends.
 * Anything but the secret of a living key is passed over, and the answer is the same.
 */
async function suspendLeaked(apiKey: string, origin: Origin): Promise<void> {
  const found = isApiKey(apiKey) ? await leakedApiKey(sha256(apiKey)) : undefined;
  if (!found) return;
  const { tenantId, apiKeyId } = found;
  await withAccessChange(tenantId, async (tx) => {
    const row = await findKeyRow(tx, found);
    const isLiving = row && ["active", "suspended"].includes(statusOf(row));
    if (!isLiving || row.mustRotate) return;
    const isCurrent = row.secretHash.equals(sha256(apiKey));
    const ended = { previousHash: null, previousValidTo: null };
    const suspended = { suspendedAt: row.suspendedAt ?? new Date(), mustRotate: true };
    await updateKeyRow(tx, row, isCurrent ? suspended : ended);
    if (isCurrent) await withdrawHandOffsOfKeys(tx, tenantId, [apiKeyId]);
    else await deletePreviousUseRows(tx, tenantId, [apiKeyId]);
    const acting = { tenantId, actor: { type: "system" as const, id: "leak-report" }, ...origin };
    const changes = isCurrent
      ? { status: { before: statusOf(row), after: "suspended" } }
      : { previousValidTo: { after: null } };
    await record(tx, acting, {
      action: "api-key.leak-reported",
      target: { type: "api-key", id: apiKeyId, name: row.name },
      changes,
    });
  });
}
