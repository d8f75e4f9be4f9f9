import { networkAt } from "@/lib/access/address-ranges";
import type { Origin } from "@/lib/access/caller";
import { newSignInChallenge, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import type { LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";
import { insertChallenge } from "./challenge-rows";

const livesMs = { code: 300_000, "set-up": 30 * 60_000 };

/** What a challenge is bound to: the code has to come from where the password came from. */
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

/** Remembers that the password was right, and makes the 403 that asks for the second factor, or to set one up. The challenge is readable only there. */
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
