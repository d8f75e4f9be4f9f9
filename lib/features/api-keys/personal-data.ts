import type { Transaction } from "@/lib/database/open";
import type { ApiKey } from "./contract";
import { deletePreviousUseRows } from "./previous-use-rows";
import { latestKeysOf, revokeKeysOf, toApiKey } from "./rows";

const maxKeysOfUser = 200;

/** The latest keys of a user, also those that have ended. */
export async function exportKeys(tenantId: string, userId: string): Promise<ApiKey[]> {
  return (await latestKeysOf({ tenantId, userId }, maxKeysOfUser)).map(toApiKey);
}

/** Ids of the latest keys of a user, also of those that have ended. */
export async function keyIdsOf(tenantId: string, userId: string): Promise<string[]> {
  const rows = await latestKeysOf({ tenantId, userId }, maxKeysOfUser);
  return rows.map(({ apiKeyId }) => apiKeyId);
}

/** Revokes a user's keys and forgets from where they were used. */
export async function eraseKeysOf(tx: Transaction, tenantId: string, userId: string) {
  await deletePreviousUseRows(tx, tenantId, await revokeKeysOf(tx, { tenantId, userId }));
}
