import { unknownCredential } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { findUsableTenant, listTenantsOf } from "@/lib/features/users/membership-rows";
import { ApiError } from "@/lib/protocol/errors";
import { parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { assertMethodAccepted, mustSetUp } from "./accepted-methods";
import type { OwnTenant } from "./contract";
import { assertMaySignIn } from "./login";
import { openSession, type ParentSession } from "./open-session";
import { deleteSessionRow, findSessionRow } from "./rows";

/** The tenants where the caller has a role and is not locked, newest first: one query per tenant, for its own row. */
export async function listOwnTenants(
  caller: Pick<Caller, "userId" | "homeTenantId">,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<OwnTenant>> {
  const { homeTenantId } = caller;
  const after = readCursor(
    cursor,
    2,
    (value, index) => index === 1 || parseInstant(value) !== undefined,
  );
  const before = [after?.[0] ?? "9999-01-01T00:00:00Z", after?.[1] ?? ""] as const;
  const rows = await listTenantsOf(caller, before, limit + 1);
  const { items, next } = cutPage(rows, limit, ({ at, id }) => [at.toISOString(), id]);
  const found = await Promise.all(
    items.map(async ({ id }) => {
      const row = await findUsableTenant(id, caller);
      return row && { id, ...row, home: id === homeTenantId };
    }),
  );
  return { items: found.filter((one) => one !== undefined), next };
}

/** The caller's session from the database, not from the cache. Throws 401 if it has ended. */
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

/** Throws 401 and ends the new session, if its parent ended too early to end the new one with it. */
async function assertNotOrphaned(caller: Caller, tenantId: string, ref: string): Promise<void> {
  try {
    await findParent(caller);
  } catch (error) {
    await deleteSessionRow(db(), { tenantId, userId: caller.userId }, ref);
    throw error;
  }
}

/** Throws 403 for a session opened with only a password if the tenant requires more. */
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
 * Opens a session for the caller in another tenant. It inherits the authentication time, the absolute expiry and the credential
 * epoch of the caller's session, so switching never extends a sign-in. Throws 409 for the caller's own tenant, and the same
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
