import type { z } from "zod";
import type { Origin } from "@/lib/access/caller";
import { rememberNetwork } from "@/lib/access/known-networks";
import { policyOf } from "@/lib/access/sites";
import type { Transaction } from "@/lib/database/open";
import { newPasskeyChallenge } from "@/lib/features/sessions/second-factors/passkey-rows";
import { provePasskey } from "@/lib/features/sessions/second-factors/prove";
import { isPasskeyHost, passkeyHost } from "@/lib/features/sessions/second-factors/webauthn";
import { findMemberCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { challenge as challengeHeader } from "@/lib/protocol/http-fields";
import { assertMethodAccepted } from "./accepted-methods";
import { assertMaySignIn, assertTenant, checkSite } from "./login";
import { openSession } from "./open-session";
import type { passkeyLoginOptions as declaredOptions, PasskeyLogin } from "./steps-contract";

const timeoutMs = 300_000;

/** Derived only from the tenant's name, so that it reveals nothing about its users. Throws 400. */
export function passkeyLoginOptions(
  tenantId: string,
  { tenant }: { tenant: string },
): z.input<NonNullable<typeof declaredOptions.answer>> {
  assertTenant(tenantId, tenant);
  return {
    challenge: newPasskeyChallenge({ use: "prove", tenantId }),
    rpId: passkeyHost(),
    allowCredentials: [],
    timeout: timeoutMs,
    userVerification: "required",
  };
}

/** Whether the sign-in page offers passkeys: the tenant accepts them, and the host supports them. */
export async function isPasskeyAccepted(tenantId: string): Promise<boolean> {
  return isPasskeyHost() && (await policyOf(tenantId)).passkeySignIn !== "off";
}

export const passkeyFailed = () =>
  new ApiError(
    "auth.passkey-failed",
    "The passkey does not sign in to this tenant, or was not used in time.",
    undefined,
    { headers: challengeHeader("Session") },
  );

/**
 * Obtains a session by a passkey only. Of concurrent uses of one response only one opens a session, across all processes. 401 is the
 * same for every error; only a valid passkey gets the reason why its owner may not sign in (403).
 */
export async function loginByPasskey(
  tenantId: string,
  { tenant, passkey, site }: z.output<typeof PasskeyLogin>,
  origin: Origin,
): Promise<{ sessionId: string }> {
  assertTenant(tenantId, tenant);
  const proven = await provePasskey(passkey, { ...origin, tenantId });
  const { userId = "" } = proven?.person ?? {};
  const candidate =
    proven && (await findMemberCandidate(tenantId, { userId, homeTenantId: tenantId }));
  if (!candidate || candidate.state === "invited") throw passkeyFailed();
  assertMaySignIn(candidate);
  checkSite(candidate.siteIds, candidate.roles, site);
  await assertMethodAccepted(tenantId, candidate, "passkey");
  const spend = async (tx: Transaction) => {
    if (!(await proven.spend(tx))) throw passkeyFailed();
  };
  const options = { siteId: site, authenticatedBy: "passkey", useUp: spend };
  const { sessionId } = await openSession(tenantId, candidate, options, origin);
  await proven.noteUse?.();
  const { address } = origin;
  rememberNetwork({ tenantId, plane: "management", loginKey: labelKey(candidate.login), address });
  rememberNetwork({ tenantId, plane: "second-factor", loginKey: userId, address });
  return { sessionId };
}
