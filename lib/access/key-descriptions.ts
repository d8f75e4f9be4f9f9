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

/** Whose these keys are, and what they are called; keys that the tenant does not have are left out. */
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

/** Whether a user has a key that works or may be made to: neither revoked nor expired. */
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
