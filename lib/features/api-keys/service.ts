import { and, desc, eq, lt, or } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { apiKeys } from "@/lib/database/schema/schema";
import { parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { ApiKey, ApiKeyDetails, ListApiKeysQuery } from "./contract";
import { previousUseRowsOf } from "./previous-use-rows";
import { findKey, type Row, toApiKey } from "./rows";

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
