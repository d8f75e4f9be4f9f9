import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import { db, type Executor } from "@/lib/database/open";
import { apiKeys } from "@/lib/database/schema/schema";

export interface KeyDescription {
  apiKeyId: string;
  userId: string;
  name: string;
  /** The last characters of the secret. */
  hint: string;
}

const description = {
  apiKeyId: apiKeys.apiKeyId,
  userId: apiKeys.userId,
  name: apiKeys.name,
  hint: apiKeys.hint,
};

/** The tenant's keys, the oldest first. */
export async function oldestKeys(tenantId: string, max: number): Promise<KeyDescription[]> {
  return db()
    .select(description)
    .from(apiKeys)
    .where(eq(apiKeys.tenantId, tenantId))
    .orderBy(apiKeys.createdAt, apiKeys.apiKeyId)
    .limit(max);
}

/** The owners and names of these keys; keys that the tenant does not have are omitted. */
export async function describeKeys(
  tenantId: string,
  apiKeyIds: string[],
): Promise<KeyDescription[]> {
  if (apiKeyIds.length === 0) return [];
  return db()
    .select(description)
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), inArray(apiKeys.apiKeyId, apiKeyIds)));
}

/** Whether a user has a key that is neither revoked nor expired (it may be suspended). */
export async function hasUsableKey(
  tx: Executor,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const usable = and(isNull(apiKeys.revokedAt), gt(apiKeys.validTo, new Date()));
  const found = await tx
    .select({ apiKeyId: apiKeys.apiKeyId })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.userId, userId), usable))
    .limit(1);
  return found.length > 0;
}
