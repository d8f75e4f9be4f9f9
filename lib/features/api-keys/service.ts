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

/** The statements on `previous_secret_uses`; lib/access/last-used.ts writes the rows. */
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

/** Deletes the recorded uses of the previous secrets of these keys. */
export async function deletePreviousUseRows(
  tx: Transaction,
  tenantId: string,
  apiKeyIds: string[],
): Promise<void> {
  if (apiKeyIds.length > 0) await tx.delete(previousSecretUses).where(ofKeys(tenantId, apiKeyIds));
}

/** The condition for the next page of keys, newest first. */
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

/** The caller's own keys, including revoked ones, newest first; never the secret. */
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

/** Uses of the previous secret since the last rotation, the latest first. */
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

/** Every response is delayed to a multiple of this, so that its timing does not reveal whether the key exists. */
const beatMilliseconds = 250;

/** Accepts a report of any text. The response and its timing do not depend on the outcome. */
export async function reportLeak(apiKey: string, origin: Origin): Promise<void> {
  const since = performance.now();
  try {
    await suspendLeaked(apiKey, origin);
  } finally {
    await pause(beatMilliseconds - ((performance.now() - since) % beatMilliseconds));
  }
}

/**
 * Suspends the key with this secret until it is rotated; a secret from before a rotation is expired instead. Ignores anything but the
 * secret of an active or suspended key.
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
