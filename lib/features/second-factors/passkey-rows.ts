import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { secondFactors, usedChallenges } from "@/lib/database/schema/schema";
import type { UserKey } from "@/lib/features/users/rows";
import type { Challenge } from "./passkey-challenges";
import type { SecondFactorRow } from "./rows";

/** A row of a passkey, whose columns are all there. */
export interface PasskeyRow extends SecondFactorRow {
  credentialId: Buffer;
  rpId: string;
  signCount: number;
}

export const isPasskey = (row: SecondFactorRow): row is PasskeyRow =>
  row.kind === "passkey" && row.credentialId !== null && row.rpId !== null;

/** A passkey of somebody whose home is this tenant. */
export async function findPasskey(
  tenantId: string,
  credentialId: Buffer,
): Promise<PasskeyRow | undefined> {
  const [row] = await db()
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.tenantId, tenantId), eq(secondFactors.credentialId, credentialId)));
  return row && isPasskey(row) ? row : undefined;
}

/** False where the authenticator's name for it is taken in the tenant. */
export async function insertPasskey(
  tx: Transaction,
  row: typeof secondFactors.$inferInsert,
): Promise<boolean> {
  const added = await tx
    .insert(secondFactors)
    .values(row)
    .onConflictDoNothing({ target: [secondFactors.tenantId, secondFactors.credentialId] })
    .returning({ factorId: secondFactors.factorId });
  return added.length > 0;
}

/** Notes a use and the highest count of signatures. */
export async function notePasskeyUse(
  { tenantId, userId, factorId }: UserKey & Pick<PasskeyRow, "factorId">,
  signCount: number,
): Promise<void> {
  await db()
    .update(secondFactors)
    .set({
      lastUsedAt: new Date(),
      signCount: sql`greatest(${secondFactors.signCount}, ${signCount}::bigint)`,
    })
    .where(
      and(
        eq(secondFactors.tenantId, tenantId),
        eq(secondFactors.userId, userId),
        eq(secondFactors.factorId, factorId),
      ),
    );
}

/** Uses a challenge up. False where that happened before, in whatever process. */
export async function takeChallenge(
  tx: Transaction,
  tenantId: string,
  { hash, expiresAt }: Challenge,
): Promise<boolean> {
  const taken = await tx
    .insert(usedChallenges)
    .values({ tenantId, challengeHash: hash, expiresAt })
    .onConflictDoNothing({ target: [usedChallenges.tenantId, usedChallenges.challengeHash] })
    .returning({ hash: usedChallenges.challengeHash });
  return taken.length > 0;
}
