import { and, count, desc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { openSealedSecret, sealSecret } from "@/lib/access/sealed";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { recoveryCodes, secondFactors } from "@/lib/database/schema/schema";
import type { UserKey } from "@/lib/features/users/rows";

export type SecondFactorRow = typeof secondFactors.$inferSelect;
export type RecoveryCodesRow = typeof recoveryCodes.$inferSelect;

const factorPurpose = "second-factors";
const hashKeyPurpose = "recovery-codes";

const ofUser = ({ tenantId, userId }: UserKey) =>
  and(eq(secondFactors.tenantId, tenantId), eq(secondFactors.userId, userId));
const byId = (user: UserKey, factorId: string) =>
  and(ofUser(user), eq(secondFactors.factorId, factorId));
const codesOf = ({ tenantId, userId }: UserKey) =>
  and(eq(recoveryCodes.tenantId, tenantId), eq(recoveryCodes.userId, userId));

export const sealFactor = (secret: Buffer, factorId: string): Buffer =>
  sealSecret(factorPurpose, secret, factorId);

/** The shared secret; undefined when it was encrypted with an unknown SECRET_KEY. */
export const openFactor = ({ secret, factorId }: SecondFactorRow): Buffer | undefined =>
  openSealedSecret(factorPurpose, secret, factorId)?.bytes;

/** The confirmed factors, newest first. */
export const confirmedFactorsOf = (
  user: UserKey,
  on: Executor = db(),
): Promise<SecondFactorRow[]> =>
  on
    .select()
    .from(secondFactors)
    .where(and(ofUser(user), isNotNull(secondFactors.confirmedAt)))
    .orderBy(desc(secondFactors.factorId));

export async function findFactor(
  user: UserKey,
  factorId: string,
): Promise<SecondFactorRow | undefined> {
  const [row] = await db().select().from(secondFactors).where(byId(user, factorId));
  return row;
}

/** The number of confirmed factors, of one kind or all. */
export async function countConfirmed(
  tx: Executor,
  user: UserKey,
  kind?: SecondFactorRow["kind"],
): Promise<number> {
  const isOfKind = kind && eq(secondFactors.kind, kind);
  const [found] = await tx
    .select({ count: count() })
    .from(secondFactors)
    .where(and(ofUser(user), isNotNull(secondFactors.confirmedAt), isOfKind));
  return found?.count ?? 0;
}

/** Adds a factor in place of any that was never confirmed. */
export async function insertFactor(
  tx: Transaction,
  row: typeof secondFactors.$inferInsert,
): Promise<void> {
  await tx.delete(secondFactors).where(and(ofUser(row), isNull(secondFactors.confirmedAt)));
  await tx.insert(secondFactors).values(row);
}

/** False if it is already confirmed or deleted. */
export async function confirmFactor(
  tx: Transaction,
  { tenantId, userId, factorId }: SecondFactorRow,
  set: { confirmedAt: Date; lastStep: number },
): Promise<boolean> {
  const updated = await tx
    .update(secondFactors)
    .set(set)
    .where(and(byId({ tenantId, userId }, factorId), isNull(secondFactors.confirmedAt)))
    .returning({ factorId: secondFactors.factorId });
  return updated.length > 0;
}

/** Consumes the codes of a step and of those before it. False if they were already used, in any process. */
export async function takeStep(
  { tenantId, userId, factorId }: SecondFactorRow,
  step: number,
  lastUsedAt: Date,
): Promise<boolean> {
  const updated = await db()
    .update(secondFactors)
    .set({ lastStep: step, lastUsedAt })
    .where(
      and(
        byId({ tenantId, userId }, factorId),
        lt(secondFactors.lastStep, step),
        isNotNull(secondFactors.confirmedAt),
      ),
    )
    .returning({ factorId: secondFactors.factorId });
  return updated.length > 0;
}

/** Deletes a confirmed factor. Undefined when there is none. */
export async function deleteFactor(
  tx: Transaction,
  user: UserKey,
  factorId: string,
): Promise<SecondFactorRow | undefined> {
  const [deleted] = await tx
    .delete(secondFactors)
    .where(and(byId(user, factorId), isNotNull(secondFactors.confirmedAt)))
    .returning();
  return deleted;
}

/** Deletes all factors and recovery codes of a user. Returns how many factors were set up. */
export async function deleteFactorsOf(tx: Transaction, user: UserKey): Promise<number> {
  const deleted = await tx
    .delete(secondFactors)
    .where(ofUser(user))
    .returning({ confirmedAt: secondFactors.confirmedAt });
  await deleteRecoveryCodes(tx, user);
  return deleted.filter(({ confirmedAt }) => confirmedAt !== null).length;
}

export async function findRecoveryCodes(user: UserKey): Promise<RecoveryCodesRow | undefined> {
  const [row] = await db().select().from(recoveryCodes).where(codesOf(user));
  return row;
}

export const sealHashKey = (key: Buffer, { userId }: UserKey): Buffer =>
  sealSecret(hashKeyPurpose, key, userId);
export const openHashKey = ({ hashKey, userId }: RecoveryCodesRow): Buffer | undefined =>
  openSealedSecret(hashKeyPurpose, hashKey, userId)?.bytes;

/** Replaces the existing recovery codes. */
export async function setRecoveryCodes(tx: Transaction, row: RecoveryCodesRow): Promise<void> {
  const { hashKey, codeHashes, createdAt } = row;
  await tx
    .insert(recoveryCodes)
    .values(row)
    .onConflictDoUpdate({
      target: [recoveryCodes.tenantId, recoveryCodes.userId],
      set: { hashKey, codeHashes, createdAt },
    });
}

/** Uses up one code. Returns how many are left; undefined if the code is unknown or already used. */
export async function takeRecoveryCode(
  tx: Transaction,
  user: UserKey,
  codeHash: string,
): Promise<number | undefined> {
  const [left] = await tx
    .update(recoveryCodes)
    .set({ codeHashes: sql`array_remove(${recoveryCodes.codeHashes}, ${codeHash}::text)` })
    .where(and(codesOf(user), sql`${codeHash}::text = any(${recoveryCodes.codeHashes})`))
    .returning({ count: sql<number>`cardinality(${recoveryCodes.codeHashes})` });
  return left?.count;
}

export async function deleteRecoveryCodes(tx: Transaction, user: UserKey): Promise<void> {
  await tx.delete(recoveryCodes).where(codesOf(user));
}

/** Re-encrypts secrets with the current key after SECRET_KEY was rotated. Called by the hourly cleanup. */
export async function resealFactors(tenantId: string): Promise<void> {
  const inTenant = and(eq(secondFactors.tenantId, tenantId), eq(secondFactors.kind, "totp"));
  for (const { userId, factorId, secret } of await db()
    .select()
    .from(secondFactors)
    .where(inTenant)) {
    const opened = openSealedSecret(factorPurpose, secret, factorId);
    if (!opened || opened.isCurrent) continue;
    await db()
      .update(secondFactors)
      .set({ secret: sealFactor(opened.bytes, factorId) })
      .where(and(byId({ tenantId, userId }, factorId), eq(secondFactors.secret, secret)));
  }
  const ofTenant = eq(recoveryCodes.tenantId, tenantId);
  for (const row of await db().select().from(recoveryCodes).where(ofTenant)) {
    const opened = openSealedSecret(hashKeyPurpose, row.hashKey, row.userId);
    if (!opened || opened.isCurrent) continue;
    await db()
      .update(recoveryCodes)
      .set({ hashKey: sealHashKey(opened.bytes, row) })
      .where(and(codesOf(row), eq(recoveryCodes.hashKey, row.hashKey)));
  }
}
