import type { z } from "zod";
import type { Origin } from "@/lib/access/caller";
import { rememberNetwork } from "@/lib/access/known-networks";
import { sha256 } from "@/lib/access/secrets";
import { proveSecondFactor } from "@/lib/features/second-factors/prove";
import { findMemberCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { challenge as challengeHeader } from "@/lib/protocol/http-fields";
import { type ChallengeRow, countTry, deleteChallenge, findChallenge } from "./challenge-rows";
import { networkOf } from "./challenges";
import { noteFailedLogin } from "./failed-logins";
import { assertMaySignIn, checkSite } from "./login";
import { openSession } from "./open-session";
import type { SecondFactorLogin } from "./second-factor-contract";

const maxTries = 5;

export const invalidChallenge = () =>
  new ApiError(
    "auth.challenge-invalid",
    "This sign-in has expired, or had too many wrong codes. Enter the password again.",
    undefined,
    { headers: challengeHeader("Session") },
  );

const wrongCode = (triesLeft: number) =>
  new ApiError(
    "auth.second-factor-failed",
    "The code is not right, or was used before. Wait for the next one.",
    String(triesLeft),
    { headers: challengeHeader("Session") },
  );

/** The challenge, from the network that it was made for. Throws 401. */
async function getChallenge(
  tenantId: string,
  token: string,
  origin: Origin,
): Promise<ChallengeRow> {
  const row = await findChallenge(tenantId, sha256(token));
  const isUsable =
    row && row.tries < maxTries && row.expiresAt > new Date() && row.network === networkOf(origin);
  if (!isUsable) throw invalidChallenge();
  return row;
}

/** The person as of now: whatever happened since the password was checked counts. Throws 401, and 403 as at a sign-in. */
async function getCandidate(tenantId: string, row: ChallengeRow) {
  const candidate = await findMemberCandidate(tenantId, row);
  if (!candidate || candidate.credentialEpoch > row.credentialEpoch) throw invalidChallenge();
  assertMaySignIn(candidate);
  checkSite(candidate.siteIds, candidate.roles, row.siteId || undefined);
  return candidate;
}

/**
 * Obtains a session for a challenge and a code. Each works once, over all processes: of many uses at once one opens a session. Throws
 * 401, 403, and 429 while earlier wrong codes of the person make it wait.
 */
export async function finishLogin(
  tenantId: string,
  { challenge, ...proof }: z.output<typeof SecondFactorLogin>,
  origin: Origin,
): Promise<{ sessionId: string }> {
  const row = await getChallenge(tenantId, challenge, origin);
  const candidate = await getCandidate(tenantId, row);
  let tries = 0;
  const method = await proveSecondFactor(candidate, proof, origin, async () => {
    const counted = await countTry(row, maxTries);
    if (counted === undefined) throw invalidChallenge();
    tries = counted;
  });
  if (method === undefined) {
    const { userId, login } = candidate;
    noteFailedLogin(tenantId, { userId, login }, origin);
    throw wrongCode(maxTries - tries);
  }
  const { sessionId } = await openSession(
    tenantId,
    candidate,
    {
      siteId: row.siteId || undefined,
      authenticatedBy: `password ${method}`,
      useUp: async (tx) => {
        if (!(await deleteChallenge(tx, row))) throw invalidChallenge();
      },
    },
    origin,
  );
  const { address } = origin;
  rememberNetwork({ tenantId, plane: "management", loginKey: labelKey(candidate.login), address });
  return { sessionId };
}
