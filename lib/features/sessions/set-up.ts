import type { z } from "zod";
import type { Origin } from "@/lib/access/caller";
import { sha256 } from "@/lib/access/secrets";
import { db } from "@/lib/database/open";
import { createPasskey, passkeyOptions } from "@/lib/features/sessions/second-factors/passkeys";
import {
  confirmSecondFactor,
  createSecondFactor,
  type Owner,
} from "@/lib/features/sessions/second-factors/service";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { findUserRow } from "@/lib/features/users/rows";
import { isRejection } from "@/lib/protocol/errors";
import { assertMethodAccepted } from "./accepted-methods";
import {
  type ChallengeRow,
  countTry,
  deleteChallenge,
  findChallenge,
  networkOf,
} from "./challenge-rows";
import { openSession } from "./open-session";
import { getCandidate, invalidChallenge, rememberNetworks } from "./second-factor-login";
import type { beginSetUp as declared, FinishSetUp } from "./steps-contract";

/*
 * A sign-in with a correct password by a user without the second factor that the tenant requires. The challenge sets one up, in the
 * home tenant, and then opens the session: the requirement locks no user out. It is invalid for a user who has a second factor by then.
 */

const maxTries = 10;

interface SettingUp {
  row: ChallengeRow;
  candidate: LoginCandidate;
  owner: Owner;
}

/** Throws the same 401 for any unusable challenge: a new sign-in with the password shows the reason. */
async function getSettingUp(tenantId: string, token: string, origin: Origin): Promise<SettingUp> {
  const row = await findChallenge(tenantId, sha256(token), "set-up");
  const isUsable =
    row && row.tries < maxTries && row.expiresAt > new Date() && row.network === networkOf(origin);
  if (!isUsable) throw invalidChallenge();
  const candidate = await getCandidate(tenantId, row).catch((error: unknown) => {
    throw isRejection(error) ? invalidChallenge() : error;
  });
  if (candidate.hasSecondFactor) throw invalidChallenge();
  const { homeTenantId, userId, login } = candidate;
  const home = await findUserRow(db(), { tenantId: homeTenantId, userId });
  const owner = {
    ...{ tenantId: homeTenantId, homeTenantId, userId, login, name: home?.name ?? login },
    ...{ kind: "session" as const, credentialId: row.challengeId, isServiceUser: false },
    ...{ requestId: origin.requestId, address: origin.address, agent: origin.agent },
    isSigningIn: true as const,
  };
  return { row, candidate, owner };
}

/** The data with which an authenticator app or a browser sets up a factor. Throws 401. */
export async function beginSetUp(
  tenantId: string,
  { challenge }: { challenge: string },
  origin: Origin,
): Promise<z.input<NonNullable<typeof declared.answer>>> {
  const { owner } = await getSettingUp(tenantId, challenge, origin);
  const passkey = await passkeyOptions(owner);
  const { id, secret, uri } = await createSecondFactor(owner, { kind: "totp" });
  return { totp: { id, secret, uri }, passkey };
}

type Given = z.output<typeof FinishSetUp>;

async function setUp(owner: Owner, { totp, passkey, name }: Given) {
  if (totp) return confirmSecondFactor(owner, totp.id, totp.code);
  if (passkey) return createPasskey(owner, { passkey, ...(name && { name }) });
  throw invalidChallenge();
}

/** The user after the set-up. Throws 401 if anything else has changed. */
async function candidateAfter(tenantId: string, before: LoginCandidate): Promise<LoginCandidate> {
  const after = await findMemberCandidate(tenantId, before);
  const isSame =
    after?.passwordHash === before.passwordHash &&
    after.credentialEpoch === before.credentialEpoch + 1;
  if (!isSame) throw invalidChallenge();
  return after;
}

/** Sets up the second factor and obtains a session. Throws 400 for a wrong code or passkey, 401 and 404. */
export async function finishSetUp(
  tenantId: string,
  given: Given,
  origin: Origin,
): Promise<{ sessionId: string; recoveryCodes: string[] }> {
  const { row, candidate, owner } = await getSettingUp(tenantId, given.challenge, origin);
  if ((await countTry(row, maxTries)) === undefined) throw invalidChallenge();
  const { recoveryCodes = [] } = await setUp(owner, given);
  const after = await candidateAfter(tenantId, candidate);
  const isException = await assertMethodAccepted(tenantId, after, "password");
  const { sessionId } = await openSession(
    tenantId,
    after,
    {
      isException,
      siteId: row.siteId || undefined,
      authenticatedBy: given.totp ? "password totp" : "password passkey",
      useUp: async (tx) => {
        if (!(await deleteChallenge(tx, row))) throw invalidChallenge();
      },
    },
    origin,
  );
  rememberNetworks(tenantId, after, origin);
  return { sessionId, recoveryCodes };
}
