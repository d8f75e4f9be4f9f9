import { secondFactorRequiredFrom } from "@/lib/access/sign-in-rules";
import { policyOf } from "@/lib/access/sites";
import { db } from "@/lib/database/open";
import {
  isEmergencyAdministrator,
  passwordNotAccepted,
  signInAddress,
} from "@/lib/features/users/emergency-administrators";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";

type Person = Pick<LoginCandidate, "userId" | "homeTenantId" | "roles">;

/**
 * The time from which the user needs a second factor: set by the tenant, or by the home tenant, which stores the factors. Undefined where
 * neither does.
 */
export async function requiredFrom(tenantId: string, person: Person): Promise<Date | undefined> {
  const { homeTenantId } = person;
  const here = secondFactorRequiredFrom(await policyOf(tenantId), person.roles);
  if (homeTenantId === tenantId) return here;
  const atHome = await findMemberCandidate(homeTenantId, person);
  const there = atHome && secondFactorRequiredFrom(await policyOf(homeTenantId), atHome.roles);
  const [first] = [here, there].filter((at) => at !== undefined).toSorted((a, b) => +a - +b);
  return first;
}

/** Whether the user must set up a second factor before a password opens a session. */
export async function mustSetUp(
  tenantId: string,
  person: Person & Pick<LoginCandidate, "hasSecondFactor">,
): Promise<boolean> {
  if (person.hasSecondFactor) return false;
  const from = await requiredFrom(tenantId, person);
  return from !== undefined && from <= new Date();
}

const passkeyNotAccepted = (tenantId: string) =>
  new ApiError(
    "auth.passkey-not-accepted",
    "The people of this tenant do not sign in with only a passkey.",
    signInAddress(tenantId),
  );

/**
 * Throws 403 if the tenant, or the user's home tenant, does not accept the method of authentication. A one-time password is the operator's
 * recovery, so it is always accepted. Returns whether only an exception accepted the password: every administrator is notified of that.
 * @param authenticatedBy as stored in a session: "password totp"
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
