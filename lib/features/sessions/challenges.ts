import type { Origin } from "@/lib/access/caller";
import { networkAt } from "@/lib/access/networks";
import { newSignInChallenge, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import type { LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";
import { insertChallenge } from "./challenge-rows";

const livesMs = 300_000;

/** What a challenge is bound to: the code has to come from where the password came from. */
export const networkOf = ({ address }: Pick<Origin, "address">): string =>
  networkAt(address, "network") ?? "";

/** Remembers that the password was right, and makes the 403 that asks for a code. The challenge is readable only there. */
export async function createChallenge(
  tenantId: string,
  { userId, homeTenantId, credentialEpoch }: LoginCandidate,
  site: string | undefined,
  origin: Origin,
): Promise<ApiError> {
  const challenge = newSignInChallenge();
  await insertChallenge({
    ...{ tenantId, userId, homeTenantId, credentialEpoch, siteId: site ?? "" },
    challengeId: newId("chal"),
    tokenHash: sha256(challenge),
    network: networkOf(origin),
    expiresAt: new Date(Date.now() + livesMs),
  });
  const detail = "The password is right. Enter a code from your authenticator app.";
  return new ApiError("auth.second-factor-required", detail, challenge);
}
