import { and, eq, gt, lt, sql } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { signInChallenges } from "@/lib/database/schema/schema";

export type ChallengeRow = typeof signInChallenges.$inferSelect;

const byId = ({ tenantId, challengeId }: Pick<ChallengeRow, "tenantId" | "challengeId">) =>
  and(eq(signInChallenges.tenantId, tenantId), eq(signInChallenges.challengeId, challengeId));

/** Adds a challenge; those of the person that have expired go. */
export async function insertChallenge(row: typeof signInChallenges.$inferInsert): Promise<void> {
  const { tenantId, userId } = row;
  await db()
    .delete(signInChallenges)
    .where(
      and(
        eq(signInChallenges.tenantId, tenantId),
        eq(signInChallenges.userId, userId),
        lt(signInChallenges.expiresAt, new Date()),
      ),
    );
  await db().insert(signInChallenges).values(row);
}

export async function findChallenge(
  tenantId: string,
  tokenHash: Buffer,
  purpose: ChallengeRow["purpose"],
): Promise<ChallengeRow | undefined> {
  const [row] = await db()
    .select()
    .from(signInChallenges)
    .where(
      and(
        eq(signInChallenges.tenantId, tenantId),
        eq(signInChallenges.tokenHash, tokenHash),
        eq(signInChallenges.purpose, purpose),
      ),
    );
  return row;
}

/** Counts a try before it is made, in whatever process. Returns how many were made; undefined where no more may be. */
export async function countTry(row: ChallengeRow, maxTries: number): Promise<number | undefined> {
  const [counted] = await db()
    .update(signInChallenges)
    .set({ tries: sql`${signInChallenges.tries} + 1` })
    .where(
      and(
        byId(row),
        lt(signInChallenges.tries, maxTries),
        gt(signInChallenges.expiresAt, new Date()),
      ),
    )
    .returning({ tries: signInChallenges.tries });
  return counted?.tries;
}

/** Deletes the person's challenges in this tenant, expired or not. */
export async function deleteChallengesOf(
  tx: Transaction,
  { tenantId, userId }: Pick<ChallengeRow, "tenantId" | "userId">,
): Promise<void> {
  await tx
    .delete(signInChallenges)
    .where(and(eq(signInChallenges.tenantId, tenantId), eq(signInChallenges.userId, userId)));
}

/** False where the challenge was used before, or is gone. */
export async function deleteChallenge(tx: Transaction, row: ChallengeRow): Promise<boolean> {
  const deleted = await tx
    .delete(signInChallenges)
    .where(byId(row))
    .returning({ challengeId: signInChallenges.challengeId });
  return deleted.length > 0;
}
