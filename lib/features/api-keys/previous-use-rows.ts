import { and, desc, eq, inArray } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { previousSecretUses } from "@/lib/database/schema/schema";

/** The statements on `previous_secret_uses`; lib/access/previous-uses.ts writes what was noted. */
interface KeyId {
  tenantId: string;
  apiKeyId: string;
}

const ofKeys = (tenantId: string, apiKeyIds: string[]) =>
  and(eq(previousSecretUses.tenantId, tenantId), inArray(previousSecretUses.apiKeyId, apiKeyIds));

/** The latest uses of a key's previous secret, the latest first. */
export function previousUseRowsOf({ tenantId, apiKeyId }: KeyId) {
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
