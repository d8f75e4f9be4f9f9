import { and, eq, exists, gt, isNull } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { apiKeys, keyHandOffs } from "@/lib/database/schema/schema";

export async function insertHandOff(
  tx: Transaction,
  row: typeof keyHandOffs.$inferInsert,
): Promise<void> {
  await tx.insert(keyHandOffs).values(row);
}

/** Whether the key of a hand-off has the secret that was handed off, and the secret works. */
const secretWorks = (tx: Transaction, tenantId: string, now: Date) =>
  exists(
    tx
      .select({ apiKeyId: apiKeys.apiKeyId })
      .from(apiKeys)
      .where(
        and(
          eq(apiKeys.tenantId, tenantId),
          eq(apiKeys.apiKeyId, keyHandOffs.apiKeyId),
          eq(apiKeys.secretHash, keyHandOffs.secretHash),
          eq(apiKeys.mustRotate, false),
          isNull(apiKeys.revokedAt),
          gt(apiKeys.validTo, now),
        ),
      ),
  );

/**
 * Deletes the hand-off with this hash of its token and returns it; undefined where none opens. One statement judges and deletes,
 * so of simultaneous openings one gets it.
 */
export async function takeHandOff(tx: Transaction, tenantId: string, tokenHash: Buffer) {
  const now = new Date();
  const [taken] = await tx
    .delete(keyHandOffs)
    .where(
      and(
        eq(keyHandOffs.tenantId, tenantId),
        eq(keyHandOffs.tokenHash, tokenHash),
        gt(keyHandOffs.expiresAt, now),
        secretWorks(tx, tenantId, now),
      ),
    )
    .returning();
  return taken;
}

/** Deletes the hand-offs that somebody created who is erased: their links open nothing any more. */
export async function deleteHandOffsOf(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<void> {
  await tx
    .delete(keyHandOffs)
    .where(and(eq(keyHandOffs.tenantId, tenantId), eq(keyHandOffs.userId, userId)));
}
