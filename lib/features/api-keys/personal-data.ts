import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { apiKeys, previousSecretUses } from "@/lib/database/schema/schema";
import type { ApiKey } from "./contract";
import { type Row, toApiKey } from "./rows";

const maxKeysOfUser = 200;

function latestKeysOf(tenantId: string, userId: string): Promise<Row[]> {
  return db()
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.userId, userId)))
    .orderBy(desc(apiKeys.createdAt))
    .limit(maxKeysOfUser);
}

/** The latest keys of a user, also those that have ended. */
export async function exportKeys(tenantId: string, userId: string): Promise<ApiKey[]> {
  return (await latestKeysOf(tenantId, userId)).map(toApiKey);
}

/** Ids of the latest keys of a user, also of those that have ended. */
export async function keyIdsOf(tenantId: string, userId: string): Promise<string[]> {
  return (await latestKeysOf(tenantId, userId)).map(({ apiKeyId }) => apiKeyId);
}

/** Revokes a user's keys and forgets from where they were used. */
export async function eraseKeysOf(tx: Transaction, tenantId: string, userId: string) {
  const of = and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.userId, userId));
  await tx
    .update(apiKeys)
    .set({ revokedAt: new Date(), previousHash: null, previousValidTo: null })
    .where(and(of, isNull(apiKeys.revokedAt)));
  const keys = await tx
    .update(apiKeys)
    .set({ lastUsedIp: null })
    .where(of)
    .returning({ apiKeyId: apiKeys.apiKeyId });
  const ids = keys.map(({ apiKeyId }) => apiKeyId);
  if (ids.length === 0) return;
  await tx
    .delete(previousSecretUses)
    .where(
      and(eq(previousSecretUses.tenantId, tenantId), inArray(previousSecretUses.apiKeyId, ids)),
    );
}
