import { setTimeout as pause } from "node:timers/promises";
import { and, desc, eq, inArray, lt, or } from "drizzle-orm";
import type { z } from "zod";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller, Origin } from "@/lib/access/caller";
import { isApiKey, sha256 } from "@/lib/access/secrets";
import { leakedApiKey } from "@/lib/database/global";
import { db, type Transaction } from "@/lib/database/open";
import { apiKeys, previousSecretUses } from "@/lib/database/schema/schema";
import { record } from "@/lib/features/audit/service";
import { parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { ApiKey, ApiKeyDetails, ListApiKeysQuery } from "./contract";
import { withdrawHandOffsOfKeys } from "./hand-offs/rows";
import { findKey, findKeyRow, type Row, statusOf, toApiKey, updateKeyRow } from "./rows";

/** The statements on `previous_secret_uses`; lib/access/last-used.ts writes what was noted. */
interface KeyId {
  tenantId: string;
  apiKeyId: string;
}

const ofKeys = (tenantId: string, apiKeyIds: string[]) =>
  and(eq(previousSecretUses.tenantId, tenantId), inArray(previousSecretUses.apiKeyId, apiKeyIds));

/** The latest uses of a key's previous secret, the latest first. */
function previousUseRowsOf({ tenantId, apiKeyId }: KeyId) {
  const { address, agent, lastSeenAt } = previousSecretUses;
  return db()
    .select({ address, agent, lastSeenAt })
    .from(previousSecretUses)
    .where(ofKeys(tenantId, [apiKeyId]))
    .orderBy(desc(lastSeenAt))
    .limit(50);
}

/** Forgets who used the previous secrets of these keys. */
export async function deletePreviousUseRows(
  tx: Transaction,
  tenantId: string,
  apiKeyIds: string[],
): Promise<void> {
  if (apiKeyIds.length > 0) await tx.delete(previousSecretUses).where(ofKeys(tenantId, apiKeyIds));
}

/** Where a page of keys, newest first, goes on. */
export function olderThan(cursor: string | undefined) {
  const after = readCursor(
    cursor,
    2,
    (value, index) => index === 1 || parseInstant(value) !== undefined,
  );
  const before = after && new Date(after[0] ?? "");
  return (
    before &&
    or(
      lt(apiKeys.createdAt, before),
      and(eq(apiKeys.createdAt, before), lt(apiKeys.apiKeyId, after[1] ?? "")),
    )
  );
}

export const keyCursor = (row: Pick<Row, "createdAt" | "apiKeyId">) => [
  row.createdAt.toISOString(),
  row.apiKeyId,
];

/** One's own keys, revoked ones among them, newest first; never the secret. */
export async function listApiKeys(
  caller: Caller,
  { limit, cursor }: z.output<typeof ListApiKeysQuery>,
): Promise<Page<ApiKey>> {
  const rows = await db()
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, caller.tenantId),
        eq(apiKeys.userId, caller.userId),
        olderThan(cursor),
      ),
    )
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.apiKeyId))
    .limit(limit + 1);
  const page = cutPage(rows, limit, keyCursor);
  return { items: page.items.map(toApiKey), next: page.next };
}

/** Who used the secret before the last rotation since then, the latest first. */
export async function previousUses(row: Row): Promise<ApiKeyDetails["previousUses"]> {
  if (row.previousHash === null) return [];
  const uses = await previousUseRowsOf(row);
  return uses.map((use) => ({ ...use, lastSeenAt: use.lastSeenAt.toISOString() }));
}

/** A key as only its owner sees it. */
export async function toDetails(row: Row): Promise<ApiKeyDetails> {
  return { ...toApiKey(row), previousUses: await previousUses(row) };
}

export async function getApiKey(caller: Caller, apiKeyId: string): Promise<ApiKeyDetails> {
  return toDetails(await findKey(db(), caller, apiKeyId, "own"));
}

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
