import type { z } from "zod";
import type { Origin } from "@/lib/access/caller";
import { rememberNetwork } from "@/lib/access/known-networks";
import { sha256 } from "@/lib/access/secrets";
import type { Transaction } from "@/lib/database/open";
import { type Proof, proveSecondFactor } from "@/lib/features/sessions/second-factors/prove";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { challenge as challengeHeader } from "@/lib/protocol/http-fields";
import { assertMethodAccepted } from "./accepted-methods";
import {
  type ChallengeRow,
  countTry,
  deleteChallenge,
  findChallenge,
  networkOf,
} from "./challenge-rows";
import { noteFailedLogin } from "./failed-logins";
import { assertMaySignIn, checkSite } from "./login";
import { openSession } from "./open-session";
import type { SecondFactorLogin } from "./steps-contract";

const maxTries = 5;

export const invalidChallenge = () =>
  new ApiError(
    "auth.challenge-invalid",
    "This sign-in has expired, or had too many wrong codes. Enter the password again.",
    undefined,
    { headers: challengeHeader("Session") },
  );

const wrongProof = (proof: Proof, triesLeft: number) =>
  new ApiError(
    "auth.second-factor-failed",
    proof.passkey
      ? "The passkey is not one of this user, or was not used in time."
      : "The code is not right, or was used before. Wait for the next one.",
    String(triesLeft),
    { headers: challengeHeader("Session") },
  );

/** The challenge, if the request is from the network it was created for. Throws 401. */
async function getChallenge(
  tenantId: string,
  token: string,
  origin: Origin,
): Promise<ChallengeRow> {
  const row = await findChallenge(tenantId, sha256(token), "code");
  const isUsable =
    row && row.tries < maxTries && row.expiresAt > new Date() && row.network === networkOf(origin);
  if (!isUsable) throw invalidChallenge();
  return row;
}

/** The user's current state, including changes since the password was checked. Throws 401, and 403 as at a sign-in. */
export async function getCandidate(tenantId: string, row: ChallengeRow) {
  const candidate = await findMemberCandidate(tenantId, row);
  if (!candidate || candidate.credentialEpoch > row.credentialEpoch) throw invalidChallenge();
  assertMaySignIn(candidate);
  checkSite(candidate.siteIds, candidate.roles, row.siteId || undefined);
  return candidate;
}

/** In a network where both were correct, wrong passwords and codes of others delay no sign-in. */
export function rememberNetworks(
  tenantId: string,
  { login, userId, homeTenantId }: LoginCandidate,
  { address }: Origin,
): void {
  rememberNetwork({ tenantId, plane: "management", loginKey: labelKey(login), address });
  const person = { tenantId: homeTenantId, loginKey: userId };
  rememberNetwork({ ...person, plane: "second-factor", address });
}

/**
 * Obtains a session for a challenge and a second factor. Each works once, across all processes: of concurrent uses only one opens a
 * session. Throws 401, 403, 409 for a factor that can no longer be decrypted, and 429 while earlier wrong codes of the user require a wait.
 */
export async function finishLogin(
  tenantId: string,
  { challenge, ...proof }: z.output<typeof SecondFactorLogin>,
  origin: Origin,
): Promise<{ sessionId: string }> {
  const row = await getChallenge(tenantId, challenge, origin);
  const candidate = await getCandidate(tenantId, row);
  let tries = 0;
  const fail = () => {
    const { userId, login } = candidate;
    noteFailedLogin(tenantId, { userId, login, by: "second-factor" }, origin);
    return wrongProof(proof, maxTries - tries);
  };
  const proven = await proveSecondFactor(candidate, proof, { ...origin, tenantId }, async () => {
    const counted = await countTry(row, maxTries);
    if (counted === undefined) throw invalidChallenge();
    tries = counted;
  });
  if (!proven) throw fail();
  const siteId = row.siteId || undefined;
  const isException = await assertMethodAccepted(tenantId, candidate, "password");
  const authenticatedBy = `password ${proven.method}`;
  const spend = async (tx: Transaction) => {
    if (!(await deleteChallenge(tx, row))) throw invalidChallenge();
    if (!(await proven.spend(tx))) throw fail();
  };
  const options = { siteId, authenticatedBy, isException, useUp: spend };
  const { sessionId } = await openSession(tenantId, candidate, options, origin);
  await proven.noteUse?.();
  rememberNetworks(tenantId, candidate, origin);
  return { sessionId };
}
