import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { keyHandOffs } from "@/lib/database/schema/schema";

/** Withdraws the links to the secrets of these keys, in the transaction after which the secrets no longer work. */
export async function withdrawHandOffsOfKeys(
  tx: Transaction,
  tenantId: string,
  apiKeyIds: string[],
): Promise<void> {
  if (apiKeyIds.length === 0) return;
  await tx
    .delete(keyHandOffs)
    .where(and(eq(keyHandOffs.tenantId, tenantId), inArray(keyHandOffs.apiKeyId, apiKeyIds)));
}
