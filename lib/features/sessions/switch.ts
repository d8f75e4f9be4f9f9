import { unknownCredential } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError } from "@/lib/protocol/errors";
import { assertMethodAccepted, mustSetUp } from "./accepted-methods";
import { assertMaySignIn } from "./login";
import { openSession, type ParentSession } from "./open-session";
import { deleteSessionRow, findSessionRow } from "./rows";

/** The caller's session as stored now, not as cached. Throws 401 if it has ended. */
async function findParent({ tenantId, credentialId: sessionRef }: Caller): Promise<ParentSession> {
  const row = await findSessionRow(tenantId, sessionRef);
  if (!row) throw unknownCredential("session");
  const { createdAt, authenticatedAt, authenticatedBy, expiresAt, credentialEpoch } = row;
  return {
    tenantId,
    sessionRef,
    authenticatedAt: authenticatedAt ?? createdAt,
    authenticatedBy: authenticatedBy ?? "password",
    expiresAt,
    credentialEpoch,
  };
}

/** Throws 401, and ends the new session, if its parent ended before the new one could be found and ended with it. */
async function assertNotOrphaned(caller: Caller, tenantId: string, ref: string): Promise<void> {
  try {
    await findParent(caller);
  } catch (error) {
    await deleteSessionRow(db(), { tenantId, userId: caller.userId }, ref);
    throw error;
  }
}

/** Throws 403 for a session by only a password where the tenant requires more. */
async function assertSecondFactor(
  tenant: string,
  candidate: LoginCandidate,
  { authenticatedBy }: ParentSession,
): Promise<void> {
  if (authenticatedBy !== "password" || !(await mustSetUp(tenant, candidate))) return;
  throw new ApiError(
    "auth.second-factor-setup-required",
    `The tenant "${tenant}" requires a second factor. Set one up in your home tenant first.`,
    candidate.homeTenantId,
  );
}

/**
 * Opens a session for the caller in another tenant. It keeps the authentication time, the absolute end and the credential
 * epoch of the caller's session, so switching never prolongs a sign-in. Throws 409 for the caller's own tenant, and the same
 * 403 for a tenant where the caller has no role and for one that does not exist.
 */
export async function switchSession(
  caller: Caller,
  tenant: string,
): Promise<{ sessionId: string; ref: string }> {
  if (tenant === caller.tenantId)
    throw new ApiError(
      "session.same-tenant",
      `This session already belongs to the tenant "${tenant}".`,
      "/tenant",
    );
  const { requestId, address, agent } = caller;
  const parent = await findParent(caller);
  const candidate = await findMemberCandidate(tenant, caller);
  if (!candidate)
    throw new ApiError(
      "user.no-role",
      `You have no role in the tenant "${tenant}". Ask an administrator there.`,
      "portal.default",
    );
  if (candidate.credentialEpoch > parent.credentialEpoch) throw unknownCredential("session");
  assertMaySignIn(candidate);
  await assertMethodAccepted(tenant, candidate, parent.authenticatedBy);
  await assertSecondFactor(tenant, candidate, parent);
  const opened = await openSession(tenant, candidate, { parent }, { requestId, address, agent });
  await assertNotOrphaned(caller, tenant, opened.sessionRef);
  return { sessionId: opened.sessionId, ref: opened.sessionRef };
}
