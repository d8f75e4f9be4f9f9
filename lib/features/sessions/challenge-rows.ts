import { and, eq, gt, lt, sql } from "drizzle-orm";
import { networkAt } from "@/lib/access/address-ranges";
import type { Origin } from "@/lib/access/caller";
import { newSignInChallenge, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import { db, type Transaction } from "@/lib/database/open";
import { signInChallenges } from "@/lib/database/schema/schema";
import type { LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";

export type ChallengeRow = typeof signInChallenges.$inferSelect;

const byId = ({ tenantId, challengeId }: Pick<ChallengeRow, "tenantId" | "challengeId">) =>
  and(eq(signInChallenges.tenantId, tenantId), eq(signInChallenges.challengeId, challengeId));

/** Adds a challenge and deletes the user's expired ones. */
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

/** Counts an attempt before it is made, across all processes. Returns the number of attempts; undefined if no more are allowed. */
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

/** Deletes the user's challenges in this tenant, expired or not. */
export async function deleteChallengesOf(
  tx: Transaction,
  { tenantId, userId }: Pick<ChallengeRow, "tenantId" | "userId">,
): Promise<void> {
  await tx
    .delete(signInChallenges)
    .where(and(eq(signInChallenges.tenantId, tenantId), eq(signInChallenges.userId, userId)));
}

/** False if the challenge was already used or deleted. */
export async function deleteChallenge(tx: Transaction, row: ChallengeRow): Promise<boolean> {
  const deleted = await tx
    .delete(signInChallenges)
    .where(byId(row))
    .returning({ challengeId: signInChallenges.challengeId });
  return deleted.length > 0;
}

const livesMs = { code: 300_000, "set-up": 30 * 60_000 };

/** The network that a challenge is bound to: the code must be sent from the same network as the password. */
export const networkOf = ({ address }: Pick<Origin, "address">): string =>
  networkAt(address, "network") ?? "";

const said = {
  code: {
    code: "auth.second-factor-required",
    detail: "The password is right. Enter a code from your authenticator app.",
  },
  "set-up": {
    code: "auth.second-factor-setup-required",
    detail: "The password is right. The tenant requires a second factor: set one up to sign in.",
  },
} as const;

/** Stores that the password was correct, and creates the 403 that requires a second factor or its set-up. Only it has the challenge. */
export async function createChallenge(
  tenantId: string,
  { userId, homeTenantId, credentialEpoch, hasSecondFactor }: LoginCandidate,
  site: string | undefined,
  origin: Origin,
): Promise<ApiError> {
  const purpose = hasSecondFactor ? "code" : "set-up";
  const challenge = newSignInChallenge();
  await insertChallenge({
    ...{ tenantId, userId, homeTenantId, credentialEpoch, siteId: site ?? "", purpose },
    challengeId: newId("chal"),
    tokenHash: sha256(challenge),
    network: networkOf(origin),
    expiresAt: new Date(Date.now() + livesMs[purpose]),
  });
  const { code, detail } = said[purpose];
  return new ApiError(code, detail, challenge);
}
