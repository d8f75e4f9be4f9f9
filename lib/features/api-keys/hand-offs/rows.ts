import { and, eq, inArray, lte, ne, or } from "drizzle-orm";
import { read, type Transaction } from "@/lib/database/open";
import { keyHandOffs } from "@/lib/database/schema/schema";

export type HandOffRow = typeof keyHandOffs.$inferSelect;

/** An API key of a tenant. */
interface OfKey {
  tenantId: string;
  apiKeyId: string;
}

const ofKey = ({ tenantId, apiKeyId }: OfKey) =>
  and(eq(keyHandOffs.tenantId, tenantId), eq(keyHandOffs.apiKeyId, apiKeyId));

export async function insertHandOff(
  tx: Transaction,
  row: typeof keyHandOffs.$inferInsert,
): Promise<void> {
  await tx.insert(keyHandOffs).values(row);
}

/** Deletes a key's links that no longer open: expired ones and those to a rotated secret. */
export async function deleteEndedHandOffs(
  tx: Transaction,
  key: OfKey & { secretHash: Buffer },
): Promise<void> {
  const hasEnded = or(
    ne(keyHandOffs.secretHash, key.secretHash),
    lte(keyHandOffs.expiresAt, new Date()),
  );
  await tx.delete(keyHandOffs).where(and(ofKey(key), hasEnded));
}

export const countHandOffs = (tx: Transaction, key: OfKey): Promise<number> =>
  tx.$count(keyHandOffs, ofKey(key));

/** Deletes a hand-off of a key; false if there is none. */
export async function deleteHandOff(
  tx: Transaction,
  key: OfKey,
  handOffId: string,
): Promise<boolean> {
  const gone = await tx
    .delete(keyHandOffs)
    .where(and(ofKey(key), eq(keyHandOffs.handOffId, handOffId)))
    .returning({ handOffId: keyHandOffs.handOffId });
  return gone.length > 0;
}

const byHash = `select expires_at as "expiresAt" from key_hand_offs where tenant_id = $1 and token_hash = $2`;

/** Whether there is a hand-off with this hash of its token that has not expired. Opens no transaction, because the endpoint is public. */
export async function isHandOffKept(tenantId: string, tokenHash: Buffer): Promise<boolean> {
  const values = [tenantId, tokenHash];
  const [found] = await read<{ expiresAt: Date }>("hand-off-by-hash", byHash, values);
  return found !== undefined && found.expiresAt > new Date();
}

/** Deletes the hand-off with this hash of its token and returns it: only one of several concurrent requests gets it. */
export async function takeHandOff(
  tx: Transaction,
  tenantId: string,
  tokenHash: Buffer,
): Promise<HandOffRow | undefined> {
  const [taken] = await tx
    .delete(keyHandOffs)
    .where(and(eq(keyHandOffs.tenantId, tenantId), eq(keyHandOffs.tokenHash, tokenHash)))
    .returning();
  return taken;
}

/** Deletes the hand-offs that an erased user created: their links no longer open anything. */
export async function deleteHandOffsOf(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<void> {
  await tx
    .delete(keyHandOffs)
    .where(and(eq(keyHandOffs.tenantId, tenantId), eq(keyHandOffs.userId, userId)));
}

/** Withdraws the links to the secrets of these keys, in the transaction that invalidates the secrets. */
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
