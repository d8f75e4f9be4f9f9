import { policyOf } from "@/lib/access/sites";
import { db } from "@/lib/database/open";
import {
  isEmergencyAdministrator,
  passwordNotAccepted,
  signInAddress,
} from "@/lib/features/users/emergency-administrators";
import type { LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";

const passkeyNotAccepted = (tenantId: string) =>
  new ApiError(
    "auth.passkey-not-accepted",
    "The people of this tenant do not sign in with only a passkey.",
    signInAddress(tenantId),
  );

/**
 * Throws 403 where the tenant, or the person's home, does not let the person in by what was proven. A one-time password is the
 * operator's way back, so it always counts. Returns whether only an exception let the password in: every administrator is notified of that.
 * @param authenticatedBy as a session keeps it: "password totp"
 */
export async function assertMethodAccepted(
  tenantId: string,
  { userId, homeTenantId, passwordExpiresAt }: LoginCandidate,
  authenticatedBy: string,
): Promise<boolean> {
  let isException = false;
  for (const one of new Set([tenantId, homeTenantId])) {
    const { passwordSignIn, passkeySignIn } = await policyOf(one);
    if (authenticatedBy === "passkey" && passkeySignIn === "off")
      throw passkeyNotAccepted(tenantId);
    if (!authenticatedBy.startsWith("password") || passwordSignIn !== "emergency-only") continue;
    const isOneTime = passwordExpiresAt !== null;
    if (!isOneTime && !(await isEmergencyAdministrator(db(), { tenantId: one, userId })))
      throw passwordNotAccepted(tenantId);
    isException = true;
  }
  return isException;
}
